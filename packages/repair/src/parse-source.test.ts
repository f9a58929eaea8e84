import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isModulePath, lineOf, nodesIn, parseSource, textOf } from './parse-source.ts';

test('offsets are UTF-16 units, behind characters of two units too', () => {
  const file = parseSource('a.mjs', 'const é = "😀😀"; const x = é < 2;\n');
  assert.ok(file);
  const comparison = [...nodesIn(file.program)].find((node) => node.type === 'BinaryExpression');
  assert.ok(comparison);
  assert.equal(textOf(file, comparison), 'é < 2');
});

test('N4: TypeScript, JSX and CommonJS are read; a syntax error is no module', () => {
  assert.ok(parseSource('a.ts', 'export const f = (x: number): number => x as number;'));
  assert.ok(parseSource('a.tsx', 'export const f = () => <a b={1}>x</a>;'));
  assert.ok(parseSource('a.cjs', 'if (module.parent) return; with_ = 1; module.exports = {};'));
  assert.equal(parseSource('a.mjs', 'const = 1'), undefined);
});

test('types have no nodes to change', () => {
  const file = parseSource('a.ts', 'function f(list: Array<0 | 1>): list is [] { return list.length === 0; }');
  assert.ok(file);
  const literals = [...nodesIn(file.program)].filter((node) => node.type === 'Literal');
  assert.equal(literals.length, 1);
});

test('lines are counted from 1; declarations of types are no modules', () => {
  assert.deepEqual([lineOf('a\nb\nc', 0), lineOf('a\nb\nc', 2), lineOf('a\nb\nc', 4)], [1, 2, 3]);
  assert.deepEqual(['a.ts', 'a.d.ts', 'a.json', 'b.mjs'].map(isModulePath), [true, false, false, true]);
});
