import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from '@capstan/contracts';
import fc from 'fast-check';
import { chooseChecks } from './choose-checks.ts';

function check(directory: string, more: Partial<Check> = {}): Check {
  const id = directory === '.' ? 'npm:test' : `npm:test@${directory}`;
  return { id, kind: 'test', framework: 'node-test', argv: ['npm', 'test'], directory, source: '', ...more };
}

const covered = { coveredBy: 'npm:test' };
const root = check('.');
const a = check('packages/a', { package: '@shop/cart' });
const b = check('packages/b', covered);
const inner = check('packages/a/inner');

function choose(checks: readonly Check[], text: string, folder?: string): [string[], string[]] {
  const { chosen, left } = chooseChecks(checks, { text, folder });
  const folders = (list: readonly Check[]) => list.map(({ directory }) => directory);
  return [folders(chosen), folders(left)];
}

test('A4: what the root runs is not run twice', () => {
  assert.deepEqual(choose([root, a, b], 'fix'), [['.', 'packages/a'], []]);
  assert.deepEqual(choose([a, b], 'fix'), [['packages/a', 'packages/b'], []], 'the root check may be switched off');
  assert.deepEqual(choose([root, check('lib', { kind: 'build' })], 'fix'), [['.'], []]);
});

test('A4: a folder that the user named stands for its packages, or for the one that it lies in', () => {
  const all = [root, a, inner, b];
  assert.deepEqual(choose(all, 'fix', 'packages/b'), [['packages/b'], ['.', 'packages/a', 'packages/a/inner']]);
  assert.deepEqual(choose(all, 'fix', 'packages/a')[0], ['packages/a', 'packages/a/inner']);
  assert.deepEqual(choose(all, 'fix', 'packages/a/src/deep')[0], ['packages/a']);
  assert.deepEqual(choose(all, 'fix', 'packages')[0], ['packages/a', 'packages/a/inner', 'packages/b']);
  assert.deepEqual(choose(all, 'fix', 'docs')[0], ['.']);
  assert.deepEqual(choose([a], 'fix', 'docs'), [[], ['packages/a']]);
});

test('A4: of too many packages, those that the task names are run, and the rest is told', () => {
  const many = Array.from({ length: 30 }, (_, index) => check(`packages/p${index}x`, { package: `@shop/p${index}x` }));
  for (const text of ['fix @shop/p27x', 'mend packages/p27x please', 'p27x is red', '修复p27x的测试']) {
    const [chosen, left] = choose([root, ...many], text);
    assert.ok(chosen.includes('packages/p27x'), text);
    assert.ok(chosen.includes('.'));
    assert.deepEqual([chosen.length, left.length], [12, 19]);
  }
  assert.ok(!choose([root, ...many], 'fix up27xs')[0].includes('packages/p27x'));
});

test('A4: every test is chosen, left, or run by one that is chosen', () => {
  const folder = fc.stringMatching(/^[a-c](\/[a-c]){0,2}$/);
  fc.assert(
    fc.property(fc.uniqueArray(folder, { maxLength: 25 }), folder, fc.boolean(), (folders, focus, hasFocus) => {
      const checks = [root, ...folders.map((name, index) => check(name, index % 2 === 0 ? covered : {}))];
      const { chosen, left } = chooseChecks(checks, { text: 'fix', folder: hasFocus ? focus : undefined });
      assert.ok(chosen.length > 0 && chosen.length <= 12);
      const ids = new Set(chosen.map(({ id }) => id));
      for (const one of checks) {
        const places = [
          chosen.includes(one),
          left.includes(one),
          !chosen.includes(one) && ids.has(one.coveredBy ?? ''),
        ];
        assert.equal(places.filter(Boolean).length, 1, one.id);
      }
    }),
  );
});
