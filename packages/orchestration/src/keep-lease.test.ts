import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Storage } from '@capstan/storage';
import { keepLease, leaseMilliseconds } from './keep-lease.ts';

const lease = { sessionId: 's', holder: 'h', epoch: 1 };

function storageThat(renew: () => Promise<boolean>): Storage {
  return { renewLease: renew } as unknown as Storage;
}

test('S4: a lease is renewed in time, and its loss is told once it is known', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let kept = true;
  let renewals = 0;
  let lost = 0;
  const storage = storageThat(async () => {
    renewals += 1;
    return kept;
  });
  const release = keepLease(storage, lease, () => {
    lost += 1;
  });
  t.mock.timers.tick(leaseMilliseconds - 1);
  await settle();
  assert.ok(renewals >= 2, 'at least twice within its life');
  assert.equal(lost, 0);
  kept = false;
  t.mock.timers.tick(leaseMilliseconds / 3);
  await settle();
  assert.equal(lost, 1);
  release();
  const before = renewals;
  t.mock.timers.tick(leaseMilliseconds * 3);
  assert.equal(renewals, before, 'nothing after the release');
});

test('S4: a storage that is busy for a moment does not lose the lease', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let lost = 0;
  const release = keepLease(
    storageThat(() => Promise.reject(new Error('busy'))),
    lease,
    () => {
      lost += 1;
    },
  );
  t.mock.timers.tick((leaseMilliseconds / 3) * 2);
  await settle();
  assert.equal(lost, 0);
  t.mock.timers.tick(leaseMilliseconds / 3);
  await settle();
  assert.equal(lost, 1, 'and one that stays away does');
  release();
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
