import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Baseline } from './baseline.ts';
import { whatItDisables } from './disabling-patches.ts';
import { nodeTestCheck } from './fixtures/temporary-workspace.ts';
import { parseSource } from './parse-source.ts';
import { prepareTexts } from './prepare-texts.ts';
import { patchId } from './propose-patches.ts';

const TEXT = `function f(a, b, path) {
  let safe = a < b;
  if (a && g(path)) return path;
  path = g(path);
  safe = false;
  if (safe) {
    h(1);
    h(2);
    h(3);
  }
  return a;
}
`;

function sessionOf(hits: readonly number[] = []) {
  const file = parseSource('a.ts', TEXT);
  assert.ok(file);
  const modules = { sources: [file], tests: [], unread: 0 };
  const baseline: Baseline = {
    check: nodeTestCheck,
    runs: 3,
    tests: [],
    files: [],
    fileMs: {},
    harness: 'screened',
    misjudged: [],
    observedMs: 0,
    coverage: [{ id: 'passes', failed: false, steps: 1, hits }],
    load: [],
    calls: [],
    cpuMs: 0,
  };
  return { modules, baseline, prepared: prepareTexts(modules, '/runtime') };
}

function disables(before: string, after: string, reached?: readonly number[], hits?: readonly number[]) {
  const edits = [{ path: 'a.ts', offset: TEXT.indexOf(before), before, after }];
  const patch = { id: patchId(edits), edits, operator: 'given', line: 1, suspicion: 1, prior: 1 };
  const candidate = { patch, targets: [] };
  return whatItDisables(sessionOf(hits), { candidate, fixed: ['t'], ...(reached === undefined ? {} : { reached }) });
}

test('N3: constants in place of conditions and values, and comparisons with itself, are named', () => {
  const named: [string, string, RegExp][] = [
    ['a && g(path)', 'false', /the condition `a && g\(path\)`, which becomes `false`/],
    ['a < b', 'true', /the value `a < b`, which becomes `true`/],
    ['g(path);\n  safe', 'x', /^$/],
    ['a < b', 'b < b', /the comparison `b < b`, which is always the same/],
  ];
  for (const [before, after, pattern] of named) {
    const said = disables(before, after);
    if (pattern.source === '^$') assert.equal(said, undefined);
    else assert.match(said ?? '', pattern);
  }
  const call = TEXT.lastIndexOf('g(path)');
  const edits = [{ path: 'a.ts', offset: call, before: 'g(path)', after: 'null' }];
  const patch = { id: patchId(edits), edits, operator: 'given', line: 4, suspicion: 1, prior: 1 };
  const said = whatItDisables(sessionOf(), { candidate: { patch, targets: [] }, fixed: ['t'] });
  assert.equal(said, '`path`, which is always set to `null`');
});

test('N3: a constant that goes to another variable disables the assignment', () => {
  const edits = [{ path: 'a.ts', offset: TEXT.indexOf('safe = false'), before: 'safe', after: 'path' }];
  const patch = { id: patchId(edits), edits, operator: 'names/variable', line: 5, suspicion: 1, prior: 1 };
  const said = whatItDisables(sessionOf(), { candidate: { patch, targets: [] }, fixed: ['t'] });
  assert.equal(said, 'the assignment `safe = false`, which then sets `path`');
});

test('small repairs are not called disabling', () => {
  for (const [before, after] of [
    ['a < b', 'a <= b'],
    ['false', 'true'],
    ['a && g(path)', 'a || g(path)'],
    ['g(path)', 'g(a)'],
    ['1', '2'],
  ] as const)
    assert.equal(disables(before, after), undefined, `${before} to ${after}`);
});

test('N3: code that passing tests ran and no test runs any more is named by its lines', () => {
  const { prepared } = sessionOf();
  const inner = prepared.probes.filter(({ line }) => line >= 7 && line <= 9).map(({ id }) => id);
  const outer = prepared.probes.map(({ id }) => id).filter((id) => !inner.includes(id));
  assert.equal(inner.length, 3);
  const all = [...outer, ...inner];
  assert.equal(disables('a < b', 'a > b', outer, all), 'lines 7 to 9 of a.ts, which no test runs any more');
  assert.equal(disables('a < b', 'a > b', all, all), undefined);
  assert.equal(disables('a < b', 'a > b', outer, outer), undefined, 'no passing test ran it before');
});
