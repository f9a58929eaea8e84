import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Baseline } from './baseline.ts';
import { nodeTestCheck } from './fixtures/temporary-workspace.ts';
import { localise, ochiai } from './localise.ts';
import { parseSource } from './parse-source.ts';

const TEXT = 'export function f(n) {\n  if (n > 1) return 1;\n  return 2;\n}\n';
const file = parseSource('a.mjs', TEXT);
assert.ok(file);
const modules = { sources: [file], tests: [], unread: 0 };

function baselineOf(coverage: Baseline['coverage'], load: number[] = []): Baseline {
  const base = {
    check: nodeTestCheck,
    runs: 3,
    tests: [],
    files: [],
    harness: 'screened' as const,
    misjudged: [],
    fileMs: {},
    observedMs: 0,
    calls: [],
    cpuMs: 0,
  };
  return { ...base, coverage, load };
}

test('N1: what only failing tests reach is most suspicious', () => {
  // Probes: 0 the function, 1 the if, 2 its return, 3 the last return.
  const found = localise(
    baselineOf([
      { id: 'bad', failed: true, steps: 1, hits: [0, 1, 3] },
      { id: 'good', failed: false, steps: 1, hits: [0, 1, 2] },
    ]),
    modules,
    '/r',
  );
  assert.deepEqual(
    found.map(({ line }) => line),
    [3, 1, 2],
  );
  assert.deepEqual(found[0]?.failing, ['bad']);
  assert.equal(found[0]?.suspicion, 1);
});

test('without coverage of failing tests every place that tests import is weakly suspicious', () => {
  const tests = ["import './a.mjs';"].flatMap((text) => parseSource('a.test.mjs', text) ?? []);
  const found = localise(baselineOf([{ id: 'bad', failed: true, steps: 0, hits: [] }]), { ...modules, tests }, '/r');
  assert.ok(found.length >= 4);
  assert.deepEqual([...new Set(found.map(({ suspicion }) => suspicion))], [0.2]);
});

test('without coverage, files that tests import come before the others', () => {
  const sources = ['a.mjs', 'bench.mjs', 'z.mjs'].flatMap((path) => parseSource(path, TEXT) ?? []);
  const tests = ["import './z.mjs';"].flatMap((text) => parseSource('a.test.mjs', text) ?? []);
  const found = localise(baselineOf([]), { sources, tests, unread: 0 }, '/r');
  assert.equal(found[0]?.path, 'z.mjs');
  assert.deepEqual([...new Set(found.map(({ path }) => path))], ['z.mjs', 'a.mjs', 'bench.mjs']);
});

test('suspicion lies between 0 and 1, and grows with failing and falls with passing tests', () => {
  const counts = fc.record({ own: fc.nat(20), other: fc.nat(20), passing: fc.nat(50) });
  fc.assert(
    fc.property(counts, ({ own, other, passing }) => {
      const score = (reached: number, pass: number): number =>
        ochiai({ failing: Array(reached), passing: pass }, own + other);
      assert.ok(score(own, passing) >= 0 && score(own, passing) <= 1);
      assert.ok(score(own, passing + 1) <= score(own, passing));
      if (other > 0) assert.ok(score(own + 1, passing) >= score(own, passing));
    }),
  );
});
