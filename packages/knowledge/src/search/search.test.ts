import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { adjustRanks } from './adjust-ranks.ts';
import { bestLines } from './best-lines.ts';
import { comparePaths } from './compare-paths.ts';
import { findText, type TextPlace } from './find-text.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { planQuery } from './plan-query.ts';

const statistics = { files: 100, spread: (term: string) => (term === 'user' ? 50 : term.length === 2 ? 3 : 0) };

describe('planQuery', () => {
  test('T11: nothing in a query is syntax of FTS5', () => {
    const plan = planQuery('NEAR("a* AND b") OR (user:x^2 -not) " \' ; DROP', statistics);
    for (const part of plan?.expression.split(' OR ') ?? []) assert.match(part, /^"[^"\s]+"( \*)?$/);
  });

  test('T11: words of every sentence are left out unless there are no others', () => {
    assert.deepEqual(
      planQuery('where is the user', statistics)?.terms.map(({ term }) => term),
      ['user'],
    );
    assert.deepEqual(planQuery('where is it', statistics)?.terms.length, 3);
  });

  test('T11: one Chinese character looks for the beginning of pairs; pairs stand for longer words', () => {
    assert.equal(planQuery('登', statistics)?.expression, '"登" *');
    assert.deepEqual(planQuery('登录', statistics)?.expression, '"登录"');
  });

  test('T11: punctuation, one letter and nothing are no query', () => {
    for (const text of ['', ' ', 'a', '***', '"', '🙂']) assert.equal(planQuery(text, statistics), undefined, text);
  });

  test('T11: a whole issue becomes a bounded number of terms', () => {
    const text = Array.from({ length: 4_000 }, (_, index) => `word${index}`).join(' ');
    assert.equal(planQuery(text, statistics)?.terms.length, 24);
  });
});

test('T11: files that the question names come first, tests after the code unless it asks for them', () => {
  const hits = [
    { path: 'test/cart.test.ts', score: 3 },
    { path: 'src/cart.ts', score: 2 },
    { path: 'src/far.ts', score: 1 },
  ];
  const paths = (query: string) => adjustRanks(query, hits).map((hit) => hit.path);
  assert.deepEqual(paths('cart is empty'), ['src/cart.ts', 'test/cart.test.ts', 'src/far.ts']);
  assert.equal(paths('the cart tests fail')[0], 'test/cart.test.ts');
  for (const query of ['error at src/far.ts:3', 'look at far.ts.', 'Error in ./src/FAR.ts, line 3']) {
    assert.equal(paths(query)[0], 'src/far.ts', query);
  }
  assert.deepEqual(
    adjustRanks('x', [
      { path: 'b', score: 1 },
      { path: 'a', score: 1 },
    ]).map((hit) => hit.path),
    ['a', 'b'],
  );
});

describe('bestLines', () => {
  const terms = [
    { term: 'upload', weight: 2 },
    { term: 'delay', weight: 3 },
  ];

  test('T11: shows the lines with most of what was asked, in the order of the file', () => {
    const text = 'upload\nnothing\nuploadDelay\nupload\n  delay\n';
    assert.deepEqual(bestLines(text, terms, 2), [
      { line: 3, text: 'uploadDelay' },
      { line: 5, text: 'delay' },
    ]);
  });

  test('T11: a minified file of one line is cut around the word', () => {
    const [found] = bestLines(`${'x;'.repeat(50_000)}uploadDelay${'y;'.repeat(50_000)}`, terms, 3);
    assert.ok(found?.text.includes('uploadDelay') && found.text.length <= 210, found?.text);
  });

  test('T11: terms are no pattern', () => {
    assert.deepEqual(bestLines('a.c abc', [{ term: 'a.c', weight: 1 }], 1), [{ line: 1, text: 'a.c abc' }]);
  });
});

test('T11: fusion puts what both lists have before what one has', () => {
  assert.deepEqual(
    fuseRanks([
      ['a', 'b'],
      ['c', 'b'],
    ]).map(({ path }) => path),
    ['b', 'a', 'c'],
  );
});

describe('findText', () => {
  const word = fc.constantFrom('needle', 'Needle', 'needles', 'hay', '针', '');
  const path = fc.constantFrom('a.txt', 'a/b.txt', 'a-b.txt', 'b/c/d.txt', 'b.txt', 'z.txt', '文.txt');
  const files = fc.dictionary(
    path,
    fc.array(
      fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
      { maxLength: 6 },
    ),
  );

  test('T11: pages of any size hold every line once, in order, whatever was asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        fc.boolean(),
        async (content, limit, ignoreCase, wholeWord) => {
          const root = await mkdtemp(join(tmpdir(), 'capstan-find-text-'));
          try {
            for (const [name, lines] of Object.entries(content)) {
              await mkdir(dirname(join(root, name)), { recursive: true });
              await writeFile(join(root, name), lines.join('\n'));
            }
            const wanted = new RegExp(wholeWord ? '(?<![a-z])needle(?![a-z])' : 'needle', ignoreCase ? 'i' : '');
            const expected = Object.keys(content)
              .sort(comparePaths)
              .flatMap((name) => {
                return (content[name] ?? []).flatMap((line, index) =>
                  wanted.test(line) ? [`${name}:${index + 1}`] : [],
                );
              });
            const found: string[] = [];
            let asked = 0;
            let after: TextPlace | undefined;
            do {
              const page = await findText(
                root,
                {
                  ...{ text: 'needle', ignoreCase, wholeWord, folder: '.', matches: () => true, limit, bytes: 10_000 },
                  ...(after === undefined ? {} : { after }),
                },
                () => asked++ % 3 === 2,
              );
              assert.ok(!('failure' in page));
              found.push(...page.lines.map((line) => `${line.path}:${line.line}`));
              after = page.next;
            } while (after !== undefined);
            assert.deepEqual(found, expected);
          } finally {
            await rm(root, { recursive: true });
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
