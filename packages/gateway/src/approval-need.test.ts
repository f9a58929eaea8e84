import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalNeed } from './approval-need.ts';

const flow = (requirement: 'allow' | 'as-tier' | 'exact-approval') => ({ requirement, rule: 'r' }) as const;

test('G3: who is asked for what', () => {
  assert.equal(approvalNeed('read', flow('as-tier'), 'contained'), undefined);
  assert.equal(approvalNeed('read', flow('as-tier'), 'strict'), undefined);
  assert.equal(approvalNeed('write', flow('allow'), 'contained'), undefined);
  assert.deepEqual(approvalNeed('write', flow('as-tier'), 'contained'), { rule: 'tier-write', grantable: true });
  assert.deepEqual(approvalNeed('dangerous', flow('as-tier'), 'contained'), {
    rule: 'tier-dangerous',
    grantable: true,
  });
  assert.deepEqual(approvalNeed('write', flow('allow'), 'strict'), { rule: 'strict-write', grantable: false });
  for (const tier of ['read', 'write', 'dangerous'] as const)
    assert.deepEqual(approvalNeed(tier, flow('exact-approval'), 'contained'), { rule: 'r', grantable: false });
});
