import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, parseCommand } from '@capstan/contracts';
import fc from 'fast-check';
import { fillCommand } from './fill-command.ts';

function command(text: string): Command {
  const parsed = parseCommand(text);
  if ('problem' in parsed) assert.fail(parsed.problem);
  return parsed;
}

const value = fc.string({ unit: 'binary', maxLength: 40 });
const list = fc.array(value, { maxLength: 5 });
const hostile = fc.oneof(
  value,
  list,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom('-rf', '--', '../x', ''),
);
const fixed = command('c = prog --first={first} mid {second:path} {rest...:path}');

test('T10: whatever is given, the own words stay and no value reads as an option', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (first, second, rest) => {
      const filled = fillCommand(fixed, { first, second, rest });
      if ('problem' in filled) return assert.ok(filled.hint.length > 0);
      const [program, one, mid, ...others] = filled.argv;
      assert.deepEqual([program, one, mid], ['prog', `--first=${String(first)}`, 'mid']);
      assert.equal(others.length, 1 + (rest as string[]).length);
      assert.ok(others.every((word) => !word.startsWith('-') && !word.includes('\0') && !word.startsWith('/')));
      assert.ok(others.every((word) => !word.split('/').includes('..')));
    }),
    { numRuns: 500 },
  );
});

test('T10: a list gives a word for each, and free words may be options', () => {
  const free = command('c = prog -- {words:arguments}');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), (words) => {
      const filled = fillCommand(free, { words });
      assert.ok('argv' in filled);
      assert.deepEqual(filled.argv, words.length === 0 ? ['prog'] : ['prog', '--', ...words]);
    }),
  );
});

test('T10: paths are given from the root of the workspace and arrive from the folder of the command', () => {
  const moved = { ...command('c = prog {file:path}'), directory: 'packages/cart' };
  const fill = (file: string): unknown => fillCommand(moved, { file });
  assert.deepEqual(fill('packages/cart/src/a.ts'), { argv: ['prog', 'src/a.ts'] });
  assert.deepEqual(fill('readme.md'), { argv: ['prog', '../../readme.md'] });
  assert.deepEqual(fill('packages/cart'), { argv: ['prog', '.'] });
  assert.match(JSON.stringify(fill('packages/cart/-rf')), /would read as an option/);
});

test('T10: what is left out takes its word away, and flags stand only when they are true', () => {
  const many = command('c = prog --mode={mode?:a|b} {--loud} {n?:-5..5}');
  assert.deepEqual(fillCommand(many, {}), { argv: ['prog'] });
  assert.deepEqual(fillCommand(many, { mode: 'a', loud: true, n: -5 }), { argv: ['prog', '--mode=a', '--loud', '-5'] });
  assert.deepEqual(fillCommand(many, { loud: false }), { argv: ['prog'] });
  assert.match(
    JSON.stringify(fillCommand(many, JSON.parse('{"__proto__":"x"}') as Record<string, string>)),
    /has no parameter/,
  );
});
