import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { instrument, render } from './instrument.ts';
import { nodesIn, parseSource, type SourceFile } from './parse-source.ts';

const SAMPLE = `'use strict';
function grade(points, bonus) {
  'use strict';
  let sum = points
  if (bonus) sum += bonus
  else if (points < 0) return 'none'
  for (let i = 0; i < 3; i += 1) sum += i > 1 ? 1 : 0
  outer: for (const x of [1, 2, 3]) { if (x === 2) continue outer; sum += x }
  const add = (a) => (b) => a + b, pair = () => ({ sum })
  do sum -= 1; while (sum > 20)
  switch (sum) { case 1: return 'one'; default: sum ||= add(1)(2) }
  try { if (sum > 9) throw new Error('much') } catch { return 'much' } finally { sum += 0 }
  const o = { m() { return 1 }, get g() { return 2 }, async *gen() { yield await 1 } }
  class A { static { A.x = 1 } y = (z) => z && o.g; }
  return pair().sum + o.m() + new A().y(1) + A.x
}
`;

function parsed(text: string, path = 'a.mjs'): SourceFile {
  const file = parseSource(path, text);
  assert.ok(file, text);
  return file;
}

test('instrumented code does the same, on the same lines, and counts', () => {
  const file = parsed(SAMPLE);
  const instrumented = instrument(file, 0);
  const text = render(instrumented);
  assert.equal(text.split('\n').length, SAMPLE.split('\n').length);
  const plain = vm.runInNewContext(`${SAMPLE};grade`) as (...args: unknown[]) => unknown;
  const seen = new Set<number>();
  const counted = vm.runInNewContext(`${text};grade`, { $capstan: (id: number) => seen.add(id) }) as typeof plain;
  for (const args of [[1], [-1], [5, 2], [12, 3], [0], [40]])
    assert.equal(counted(...args), plain(...args), args.join(', '));
  assert.ok(seen.size > instrumented.probes.length * 0.8, `${seen.size} of ${instrumented.probes.length}`);
});

test('without a counter instrumented code runs as well, as in a process that a test starts', () => {
  const grade = vm.runInNewContext(`${render(instrument(parsed(SAMPLE), 0))};grade`) as (points: number) => unknown;
  assert.equal(grade(-1), 'none');
});

test('any expression of instrumented code can be replaced, and it still parses', () => {
  const file = parsed(SAMPLE);
  const instrumented = instrument(file, 0);
  let count = 0;
  for (const node of nodesIn(file.program)) {
    if (!/Expression$|^Literal$/.test(node.type) || file.parents.get(node)?.type === 'ExpressionStatement') continue;
    if (file.parents.get(node)?.type === 'Property' || file.parents.get(node)?.type === 'MethodDefinition') continue;
    const edited = render(instrumented, { start: node.start, end: node.end, text: '(aa)' });
    assert.ok(parseSource('a.mjs', edited), `${node.type}: ${file.text.slice(node.start, node.end)}\n${edited}`);
    count += 1;
  }
  assert.ok(count > 40);
});

test('exported functions are marked, by export and by module.exports', () => {
  const names = (text: string, path: string): unknown[] =>
    instrument(parsed(text, path), 0).probes.flatMap((probe) => probe.exported ?? []);
  assert.deepEqual(
    names(
      'export function a() {} function b() {} export { b as c }; export const d = (x) => { x; }; export const e = (x) => x;',
      'a.mjs',
    ),
    ['a', 'c', 'd', 'e'],
  );
  assert.deepEqual(names('function a() {} exports.b = a; module.exports.c = function () {};', 'a.cjs'), ['b']);
  assert.deepEqual(names('function a() {} module.exports = { a };', 'a.cjs'), ['a']);
});

test('TypeScript stays TypeScript', () => {
  const text =
    'export enum E { A }\ninterface I { a: 1 }\nexport function f<T>(this: I, x: T | 1): x is T { type Q = 1; return (x as T) !== 1; }\n';
  assert.ok(parseSource('a.ts', render(instrument(parsed(text, 'a.ts'), 0))));
});
