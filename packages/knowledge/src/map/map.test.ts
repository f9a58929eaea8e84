import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OutlineSymbol } from '../outline/outline-symbol.ts';
import { hashWord } from '../words/word-counter.ts';
import { drawMap } from './draw-map.ts';
import { rankNodes } from './rank-nodes.ts';
import { buildReferenceGraph } from './reference-graph.ts';

test('T11: ranks add up to one, are never negative, and do not depend on the run', () => {
  const graph = fc.integer({ min: 1, max: 12 }).chain((size) => {
    const node = fc.integer({ min: 0, max: size - 1 });
    const edge = fc.tuple(node, fc.double({ min: 0.01, max: 9, noNaN: true }));
    return fc.array(
      fc.array(edge, { maxLength: 5 }).map((edges) => new Map(edges)),
      { minLength: size, maxLength: size },
    );
  });
  fc.assert(
    fc.property(graph, (edges) => {
      const ranks = rankNodes(edges);
      assert.ok(Math.abs(ranks.reduce((sum, rank) => sum + rank, 0) - 1) < 1e-9);
      assert.ok(ranks.every((rank) => rank > 0));
      assert.deepEqual(rankNodes(edges), ranks);
    }),
  );
});

interface Planted {
  readonly path: string;
  readonly declares: readonly string[];
  readonly mentions: readonly string[];
}

function graphOf(files: readonly Planted[]) {
  return buildReferenceGraph({
    eachReference: (visit) => {
      for (const { path, declares, mentions } of files) {
        const symbols = declares.map(
          (name, index): OutlineSymbol => ({ name, kind: 'function', line: index + 1, depth: 0 }),
        );
        visit(path, symbols, Int32Array.from([...declares, ...mentions].map(hashWord)));
      }
    },
  });
}

const everything = { budget: 10_000, shows: () => true, about: new Set<string>() };

test('T11: what others mention comes first, with its most used symbols, and a budget holds', () => {
  const graph = graphOf([
    { path: 'a/user.ts', declares: ['openUser'], mentions: ['readRow', 'writeRow'] },
    { path: 'b/shop.ts', declares: ['openShop'], mentions: ['readRow'] },
    { path: 'c/rows.ts', declares: ['readRow', 'writeRow', 'unusedRow'], mentions: [] },
    { path: 'test/rows.test.ts', declares: ['helpOthers'], mentions: ['readRow'] },
  ]);
  const map = drawMap(graph, everything);
  assert.equal(map.files[0]?.path, 'c/rows.ts');
  assert.equal(map.files[0]?.mentionedBy, 3);
  assert.match(map.text, /^c\/rows\.ts \(mentioned by 3\)\n {2}1: function readRow\n/);
  const small = drawMap(graph, { ...everything, budget: 90 });
  assert.ok(Buffer.byteLength(small.text) <= 90 && small.left > 0);
  assert.deepEqual(
    drawMap(graph, { ...everything, shows: (path) => path.startsWith('b/') }).files.map((file) => file.path),
    ['b/shop.ts'],
  );
});

test('T11: a map about a file begins with what that file refers to', () => {
  const graph = graphOf([
    { path: 'a.ts', declares: ['startHere'], mentions: ['rareThing'] },
    { path: 'hub.ts', declares: ['popularThing'], mentions: [] },
    { path: 'rare.ts', declares: ['rareThing'], mentions: [] },
    ...['u', 'v', 'w'].map((name) => ({ path: `${name}.ts`, declares: [], mentions: ['popularThing'] })),
  ]);
  assert.equal(drawMap(graph, everything).files[0]?.path, 'hub.ts');
  const about = drawMap(graph, { ...everything, about: new Set(['a.ts']) }).files.map((file) => file.path);
  assert.ok(about.indexOf('rare.ts') < about.indexOf('hub.ts'));
});

test('T11: a name that many files declare refers to none of them', () => {
  const many = Array.from({ length: 6 }, (_, index) => ({ path: `f${index}.ts`, declares: ['render'], mentions: [] }));
  const graph = graphOf([...many, { path: 'z.ts', declares: [], mentions: ['render'] }]);
  assert.ok(graph.files.every((file) => file.mentionedBy === 0));
});
