import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TreeChange, TreeEntry } from './git/tree-entries.ts';
import { planApply } from './plan-apply.ts';

const entry = fc.record(
  { mode: fc.constantFrom('100644', '100755', '120000'), blob: fc.constantFrom('a', 'b', 'c') },
  { noNullPrototype: true },
);
const tree = fc.dictionary(fc.constantFrom('p', 'q', 'r'), entry, { noNullPrototype: true });
type Tree = Record<string, TreeEntry>;

function changes(from: Tree, to: Tree): TreeChange[] {
  const paths = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return paths
    .map((path) => ({ path, before: from[path], after: to[path] }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}

function carryOut(now: Tree, plan: ReturnType<typeof planApply>): Tree {
  const result = { ...now };
  for (const step of plan.steps) {
    if (step.kind === 'remove') delete result[step.path];
    else result[step.path] = step.entry;
  }
  return result;
}

test('A6: on a checkout that did not move, the plan gives exactly what the session has', () => {
  fc.assert(
    fc.property(tree, tree, (base, session) => {
      const plan = planApply(changes(base, session), []);
      assert.deepEqual(plan.conflicts, []);
      assert.deepEqual(carryOut(base, plan), session);
    }),
  );
});

test('A6: what the user changed is kept, merged or a conflict; never replaced', () => {
  fc.assert(
    fc.property(tree, tree, tree, (base, session, checkout) => {
      const plan = planApply(changes(base, session), changes(base, checkout));
      for (const { path, after } of changes(base, checkout)) {
        const replaced = plan.steps.some((step) => step.path === path && step.kind !== 'merge');
        const wanted = session[path];
        assert.equal(replaced, false, `${path} was ${JSON.stringify(after)}, session wants ${JSON.stringify(wanted)}`);
      }
    }),
  );
});

test('S3: planning again after the plan was carried out leaves nothing to do', () => {
  fc.assert(
    fc.property(tree, tree, (base, session) => {
      const now = carryOut(base, planApply(changes(base, session), []));
      const again = planApply(changes(base, session), changes(base, now));
      assert.deepEqual(again, { steps: [], conflicts: [] });
    }),
  );
});
