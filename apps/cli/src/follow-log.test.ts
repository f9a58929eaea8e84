import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRow } from '@capstan/contracts';
import type { Storage } from '@capstan/storage';
import fc from 'fast-check';
import { followLog } from './follow-log.ts';

const row = (number: number): EventRow => ({
  sessionId: 'session-1',
  number,
  at: 0,
  body: { type: 'node-enter', node: 'plan', step: number },
});

/** A log that grows, and whose reads fail as often as is said. */
function growingLog(failures = 0) {
  const rows: EventRow[] = [];
  let left = failures;
  const storage = {
    readEvents: async (_: string, after: number) => {
      if (left > 0) {
        left -= 1;
        throw new Error('busy');
      }
      return rows.filter(({ number }) => number > after);
    },
  } as unknown as Storage;
  return { rows, storage };
}

test('X1: every row is shown once and in order, however the log grows between reads', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 12 }), async (growths) => {
      const { rows, storage } = growingLog();
      const shown: number[] = [];
      const follower = followLog(storage, 'session-1', ({ number }) => shown.push(number));
      for (const growth of growths) {
        for (let more = 0; more < growth; more += 1) rows.push(row(rows.length + 1));
        t.mock.timers.tick(60);
        await settle();
      }
      rows.push(row(rows.length + 1));
      await follower.finish();
      assert.deepEqual(
        shown,
        rows.map(({ number }) => number),
      );
      assert.equal(follower.lastType, 'node-enter');
    }),
  );
});

test('X1: a read that fails is made up for; one that fails at the end is told', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { rows, storage } = growingLog(2);
  const shown: number[] = [];
  const follower = followLog(storage, 'session-1', ({ number }) => shown.push(number));
  rows.push(row(1));
  for (let turn = 0; turn < 3; turn += 1) {
    t.mock.timers.tick(60);
    await settle();
  }
  await follower.finish();
  assert.deepEqual(shown, [1]);
  const broken = followLog(growingLog(9).storage, 'session-1', () => assert.fail());
  await assert.rejects(broken.finish(), /busy/);
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
}
