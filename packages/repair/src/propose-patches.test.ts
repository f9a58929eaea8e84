import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from './edit-lines.ts';
import type { Location } from './localise.ts';
import { parseSource } from './parse-source.ts';
import { type Candidate, proposePatches } from './propose-patches.ts';
import type { WorkspaceModules } from './read-workspace.ts';

function modulesOf(text: string, path = 'a.ts'): WorkspaceModules {
  const file = parseSource(path, text);
  assert.ok(file, text);
  return { sources: [file], tests: [], unread: 0 };
}

function everywhere(text: string, path = 'a.ts'): Location[] {
  return [{ path, line: 1, start: 0, end: text.length, suspicion: 1, failing: [] }];
}

function proposals(text: string, path = 'a.ts'): { candidates: Candidate[]; results: string[] } {
  const candidates = proposePatches(modulesOf(text, path), everywhere(text, path));
  return { candidates, results: candidates.map(({ patch }) => applyEdits(text, patch.edits) ?? '') };
}

/** Each row: a family, a wrong program, the right one. None of it is about names. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are programs.
const repairs: [string, string, string][] = [
  ['comparison', 'function f(a, b) { return a < b; }', 'function f(a, b) { return a <= b; }'],
  ['comparison', 'function f(a) { if (a.length === 0) return 1; }', 'function f(a) { if (a.length <= 1) return 1; }'],
  ['comparison', 'function f(a, b) { return a && b; }', 'function f(a, b) { return a || b; }'],
  ['comparison', 'function f(a) { if (a.ok) return 1; }', 'function f(a) { if (!a.ok) return 1; }'],
  ['comparison', 'function f(a) { if (!a) return 1; }', 'function f(a) { if (a) return 1; }'],
  [
    'comparison',
    'function f(n, [x, ...r]) { if (n < 0) return r[0]; }',
    'function f(n, [x, ...r]) { if (n < 0 || r.length === 0) return r[0]; }',
  ],
  [
    'comparison',
    'function f(n) { while (n.next.ok) n = n.next; }',
    'function f(n) { while (n.next != null && n.next.ok) n = n.next; }',
  ],
  ['comparison', 'function f(q) { while (true) q.shift(); }', 'function f(q) { while (q.length > 0) q.shift(); }'],
  [
    'comparison',
    'function f() { let d = 0; d += 1; return true; }',
    'function f() { let d = 0; d += 1; return d === 0; }',
  ],
  ['arithmetic', 'function f(a, b) { return a - b; }', 'function f(a, b) { return a + b; }'],
  ['arithmetic', 'function f(a, b) { a ^= b; return a; }', 'function f(a, b) { a &= b; return a; }'],
  ['arithmetic', 'function f(a, i) { return a[i * 2]; }', 'function f(a, i) { return a[i * 2 + 1]; }'],
  ['arithmetic', 'function f(a) { return a[a.length]; }', 'function f(a) { return a[a.length - 1]; }'],
  ['arithmetic', 'function f(i) { i++; return i - 1; }', 'function f(i) { i--; return i - 1; }'],
  [
    'arithmetic',
    'function f(a) { let s = ""; s = s + a; return s; }',
    'function f(a) { let s = ""; s = a + s; return s; }',
  ],
  ['arithmetic', 'function f(a) { return 1 + g(a); }', 'function f(a) { return g(a); }'],
  [
    'arithmetic',
    'function f(a) { let m = 0; m = a * 2; return m; }',
    'function f(a) { let m = 0; m = Math.max(m, a * 2); return m; }',
  ],
  ['arithmetic', 'function f(a, b) { return g(a * 1, b - 1); }', 'function f(a, b) { return g(a * 1, b); }'],
  ['arithmetic', 'function f(i) { i -= 1; return `${i},x`; }', 'function f(i) { i -= 1; return `${i - 1},x`; }'],
  ['names', 'function f(a, b) { return a.x + a.y; }', 'function f(a, b) { return a.x + b.y; }'],
  ['names', 'function f(a, b) { return g(a, b); }', 'function f(a, b) { return g(b, a); }'],
  ['names', 'function f(a) { return g(a); }', 'function f(a) { return a; }'],
  [
    'names',
    'function f(a, i, b, j) { a[i] = b[j]; return a[i]; }',
    'function f(a, i, b, j) { b[j] = b[j]; return a[i]; }',
  ],
  ['names', 'function f(a) { return a.some(Boolean); }', 'function f(a) { return a.every(Boolean); }'],
  ['names', 'function f(a) { return a.left + a.right; }', 'function f(a) { return a.right + a.right; }'],
  [
    'names',
    'function f(a, k) { k -= 1; a.pop(); for (const x of a) g(x, k); }',
    'function f(a, k) { k -= 1; a.pop(); for (const x of a.slice(k)) g(x, k); }',
  ],
  ['names', 'function f(a, b) { return a(1, b) + b * 2; }', 'function f(a, b) { return b + b * 2; }'],
  ['names', 'function f(a) { return []; }', 'function f(a) { return [a]; }'],
  ['names', 'function f(s) { return s.substring(1, 3); }', 'function f(s) { return s.substr(1, 3); }'],
  ['names', 'function f(s) { return s.replace("a", "b"); }', 'function f(s) { return s.replaceAll("a", "b"); }'],
  ['arithmetic', 'function f(a, b) { return a + b >> 1; }', 'function f(a, b) { return a + (b >> 1); }'],
  ['absence', 'function f(o) { return o.n || 1; }', 'function f(o) { return o.n ?? 1; }'],
  ['absence', 'function f(o) { if (o.n) return 1; }', 'function f(o) { if (o.n !== undefined) return 1; }'],
  ['absence', 'function f(o) { if (!o.n) return 1; }', 'function f(o) { if (o.n == null) return 1; }'],
  [
    'absence',
    'function f(o) { if (o.a && o.s) return 1; }',
    "function f(o) { if (o.a && typeof o.s === 'string') return 1; }",
  ],
  ['absence', 'function f(a) { return a.b.c; }', 'function f(a) { return a.b?.c; }'],
  ['absence', 'function f(a, k) { return a[k](k); }', 'function f(a, k) { return a?.[k](k); }'],
  [
    'absence',
    "function f(a) { let p = '/'; p = a.replace(/x/, ''); return p; }",
    "function f(a) { let p = '/'; p = a.replace(/x/, '') || '/'; return p; }",
  ],
  ['absence', 'function f(a) { g(a.x); }', 'function f(a) { g(a.x ?? []); }'],
  ['absence', 'function f(a = {}) { g(a); }', 'function f(a = []) { g(a); }'],
  [
    'absence',
    'function f(o) {\n  const c = o.list;\n  g(c);\n}',
    'function f(o) {\n  const c = o.list;\n  if (c?.length === 0) return;\n  g(c);\n}',
  ],
  [
    'absence',
    'function f(o) {\n  g(o);\n  return [];\n}',
    'function f(o) {\n  if (o == null) return [];\n  g(o);\n  return [];\n}',
  ],
  [
    'absence',
    'function f(l) {\n  for (const o of l) {\n    const x = o.x;\n    g(x);\n  }\n}',
    'function f(l) {\n  for (const o of l) {\n    const x = o.x;\n    if (x == null) continue;\n    g(x);\n  }\n}',
  ],
  [
    'statements',
    'async function f(a) { const x = g(a); return x; }',
    'async function f(a) { const x = await g(a); return x; }',
  ],
  ['statements', 'async function f(a) { return g(a).x; }', 'async function f(a) { return (await g(a)).x; }'],
  ['statements', 'function f(a) { a.map(g); }', 'function f(a) { return a.map(g); }'],
  [
    'statements',
    'function f(a) {\n  switch (a) {\n    case 1:\n      g();\n    case 2:\n      h();\n  }\n}',
    'function f(a) {\n  switch (a) {\n    case 1:\n      g();\n      break;\n    case 2:\n      h();\n  }\n}',
  ],
  [
    'statements',
    'function f(l) {\n  for (const a of l) {\n    if (a) {\n      g(a)\n    }\n  }\n}',
    'function f(l) {\n  for (const a of l) {\n    if (a) {\n      g(a);\n      break;\n    }\n  }\n}',
  ],
  ['statements', 'function f(a) { return a.sort(); }', 'function f(a) { return [...a].sort(); }'],
  ['statements', 'function f(a) { const b = a; return g(b); }', 'function f(a) { const b = { ...a }; return g(b); }'],
  [
    'statements',
    'function f(a, b) { return Object.assign(a, b); }',
    'function f(a, b) { return Object.assign({}, a, b); }',
  ],
  [
    'statements',
    'function f() { const m = {}; return m; }',
    'function f() { const m = Object.create(null); return m; }',
  ],
  ['texts', 'const f = (s) => /a+b/.test(s);', 'const f = (s) => /^a+b/.test(s);'],
  ['texts', 'const f = (s) => s.replace(/a/, "");', 'const f = (s) => s.replace(/a/g, "");'],
  ['texts', 'const f = (s) => s.match(/<.+>/);', 'const f = (s) => s.match(/<.+?>/);'],
  ['texts', 'const f = (s) => /a.b/.test(s);', String.raw`const f = (s) => /a\.b/.test(s);`],
  [
    'texts',
    'function f(s) { if (s.indexOf("a")) return 1; }',
    'function f(s) { if (s.indexOf("a") !== -1) return 1; }',
  ],
  ['texts', 'function f(s) { return !s.indexOf("a"); }', 'function f(s) { return s.indexOf("a") === -1; }'],
  ['texts', 'function f(s) { return s.a.trim(); }', 'function f(s) { return s.a; }'],
  [
    'texts',
    'function f(s) { const t = s.split("")[0] + ""; return t; }',
    'function f(s) { const t = s.split("")[0] + ""; return t.trim(); }',
  ],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are programs.

for (const [family, wrong, right] of repairs) {
  test(`N1: ${family}: ${wrong} can become ${right}`, () => {
    const { candidates, results } = proposals(wrong);
    const at = results.indexOf(right);
    assert.notEqual(at, -1, results.join('\n'));
    assert.equal(candidates[at]?.patch.operator.split('/')[0], family);
  });
}

test('every proposal is a program that parses, and a different one', () => {
  const texts = repairs.map(([, wrong]) => wrong);
  for (const text of [
    ...texts,
    'export const f = (a: number[], k?: number): number => (k ?? a.length) > 1 ? a[0]! : -(k as number);',
  ]) {
    const { candidates, results } = proposals(text);
    assert.ok(candidates.length > 0);
    for (const result of results) assert.ok(result !== text && parseSource('a.ts', result), `${text}\n${result}`);
  }
});

test('the same change is proposed once, and the order does not depend on chance', () => {
  const text = 'function f(a, b) { return a.length - b.length < 1; }';
  const { candidates } = proposals(text);
  assert.equal(new Set(candidates.map(({ patch }) => patch.id)).size, candidates.length);
  assert.deepEqual(proposals(text).candidates, candidates);
  const promises = candidates.map(({ patch }) => patch.suspicion * patch.prior);
  assert.deepEqual(
    promises,
    promises.toSorted((first, second) => second - first),
  );
});

test('a wrong literal is tried before a wrong target of unknown kind', () => {
  const text = 'function f(path, safe) { let done = false; if (safe(path)) done = false; return done; }';
  const { results } = proposals(text);
  const literal = results.indexOf(text.replace(')) done = false', ')) done = true'));
  const target = results.indexOf(text.replace(')) done = false', ')) path = false'));
  assert.ok(literal >= 0 && target > literal);
});

test('only suspicious places change, with the suspicion of the innermost', () => {
  const text = 'function f(a) { return a < 1; }\nfunction g(a) { return a < 2; }';
  const inner = {
    path: 'a.ts',
    line: 2,
    start: text.indexOf('return a < 2'),
    end: text.length - 2,
    suspicion: 0.5,
    failing: ['t'],
  };
  const outer = { ...inner, start: text.indexOf('function g'), end: text.length, suspicion: 0.9, failing: [] };
  const found = proposePatches(modulesOf(text), [outer, inner]);
  assert.ok(found.length > 0);
  for (const { patch, targets } of found) {
    assert.equal(patch.line, 2);
    if (patch.operator === 'comparison/relation') assert.deepEqual([patch.suspicion, targets], [0.5, ['t']]);
  }
});
