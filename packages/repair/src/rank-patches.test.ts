import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rankPatches } from './rank-patches.ts';
import type { PlausiblePatch } from './validate-patches.ts';

function plausible(id: string, prior: number, fixes: number, outcomes: string[]): PlausiblePatch {
  const edits = [{ path: 'a.mjs', offset: 0, before: 'a', after: 'b' }];
  return {
    patch: { id, edits, operator: 'names/variable', line: 1, suspicion: 1, prior },
    fixes: Array.from({ length: fixes }, (_, index) => `t${index}`),
    outcomes,
    whole: true,
  };
}

const inputs = [
  { name: 'f', args: [1] },
  { name: 'f', args: ['x', [2]] },
];
const baseOutcomes = ['1 | same', '2 | same'];

function order(...patches: PlausiblePatch[]) {
  return rankPatches({ plausible: patches, inputs, baseOutcomes });
}

test('what fixes more tests comes first, then what is more promising', () => {
  const { patches } = order(plausible('a', 0.2, 1, []), plausible('b', 0.9, 1, []), plausible('c', 0.1, 2, []));
  assert.deepEqual(
    patches.map(({ patch, rank }) => [patch.id, rank]),
    [
      ['c', 1],
      ['b', 2],
      ['a', 3],
    ],
  );
});

test('N3: equal behaviour is one group, and an input is shown where groups differ', () => {
  const { patches, distinguishing } = order(
    plausible('a', 0.9, 1, ['1 | same', '5 | same']),
    plausible('b', 0.8, 1, ['1 | same', '5 | same']),
    plausible('c', 0.7, 1, ['1 | same', '6 | same']),
  );
  assert.deepEqual(
    patches.map(({ group }) => group),
    [1, 1, 2],
  );
  assert.deepEqual(distinguishing, [{ groups: [1, 2], input: 'f("x", [2])', outcomes: ['5', '6'] }]);
});

test('broken answers and changed arguments weigh against a patch where others are sound', () => {
  const sound = plausible('sound', 0.5, 1, ['1 | same', '2 | same']);
  for (const outcome of ['throws TypeError', 'endless', '[undefined] | same', 'NaN | same', '2 | [[]]']) {
    const { patches } = order(plausible('odd', 0.6, 1, ['1 | same', outcome]), sound);
    assert.equal(patches[0]?.patch.id, 'sound', outcome);
  }
  const { patches } = order(
    plausible('a', 0.6, 1, ['1 | same', 'throws Error']),
    plausible('b', 0.5, 1, ['1 | same', 'throws Error']),
  );
  assert.equal(patches[0]?.patch.id, 'a', 'an input that no patch answers says nothing');
});

test('without further inputs no two patches are called alike', () => {
  const { patches, distinguishing } = order(plausible('a', 0.9, 1, []), plausible('b', 0.8, 1, []));
  assert.deepEqual(
    patches.map(({ group }) => group),
    [1, 2],
  );
  assert.deepEqual(distinguishing, []);
});

test('N3: what looks as if it disabled something comes last, however much it fixes', () => {
  const disabling = { ...plausible('off', 0.9, 3, []), disables: 'the condition `a`' };
  const { patches } = order(disabling, plausible('low', 0.01, 1, []));
  assert.deepEqual(
    patches.map(({ patch }) => patch.id),
    ['low', 'off'],
  );
});
