import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Condition, readSkipRules, type SkipRule, unlistedSkips } from './skips.ts';

const skip = {
  id: 'packages/sandbox/src/run.test.ts#in bubblewrap > G8: no network (tcp)',
  reason: 'needs bubblewrap',
};

function unlisted(rule: Partial<SkipRule>, conditions: readonly Condition[]): number {
  const whole: SkipRule = { test: '*', when: 'always', reason: 'because', ...rule };
  return unlistedSkips([skip], [whole], new Set(conditions)).length;
}

test('a skip is allowed by a rule for its name whose condition holds', () => {
  assert.equal(unlisted({ when: 'no-bubblewrap' }, ['no-bubblewrap']), 0);
  assert.equal(unlisted({ when: 'no-bubblewrap' }, ['always', 'root']), 1);
});

test('names are whole, a star stands for anything, and everything else for itself', () => {
  assert.equal(unlisted({ test: skip.id }, ['always']), 0);
  assert.equal(unlisted({ test: 'packages/sandbox/src/run.test.ts#in bubblewrap > *' }, ['always']), 0);
  assert.equal(unlisted({ test: 'packages/sandbox/src/run.test.ts' }, ['always']), 1);
  assert.equal(
    unlisted({ test: 'packages/sandbox/src/run.test.ts#in bubblewrap > G8: no network .tcp.' }, ['always']),
    1,
  );
});

test('without rules every skip is unlisted', () => {
  assert.deepEqual(unlistedSkips([skip], [], new Set(['always'])), [skip]);
});

test('the committed list can be read', () => {
  assert.equal(readSkipRules(fileURLToPath(new URL('../..', import.meta.url))).length > 0, true);
});
