import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { KnowledgeIndex } from '../knowledge-index.ts';
import { rankFiles } from '../search/rank-files.ts';
import { type Behaviour, EmbeddingServer } from '../testing/embedding-server.ts';
import { cutPassages } from './cut-passages.ts';

const key = 'sk-never-shown';
const server = new EmbeddingServer();
let url: string;
let base: string;
let root: string;
let round = 0;

before(async () => {
  url = await server.start();
  base = await mkdtemp(join(tmpdir(), 'capstan-embeddings-'));
  root = join(base, 'root');
  await mkdir(root);
  await writeFile(join(root, 'zoo.md'), 'The wombat and the cat and the dog.\n');
  await writeFile(join(root, 'shop.md'), 'An invoice with a price.\n');
  await writeFile(join(root, 'night.md'), 'A comet beside the moon.\n');
});
after(async () => {
  await server.stop();
  await rm(base, { recursive: true, force: true });
});
beforeEach(() => {
  server.behaviour = 'vectors';
  server.texts = 0;
});

/** An index of its own, whose steady clock is moved by hand. */
function openIndex(stateFolder = join(base, `state-${++round}`), to = url) {
  const time = { passed: 0 };
  const clock = { now: () => Date.now(), steady: () => performance.now() + time.passed };
  const index = new KnowledgeIndex({ root, stateFolder, clock, embeddings: { url: to, model: 'topics', key } });
  const rank = (query: string) =>
    index.use({ firstMs: 60_000, againMs: 60_000 }, (open) => rankFiles(open, query, () => true));
  const settle = () => index.use({ firstMs: 60_000, againMs: 60_000 }, async ({ embeddings }) => embeddings?.settle());
  return { index, rank, settle, time, stateFolder };
}

describe('embeddings', () => {
  test('T11: what resembles a question is found though no word fits, and fused with what has its words', async () => {
    const { index, rank, settle } = openIndex();
    await settle();
    const { hits, by, note } = await rank('animals');
    assert.deepEqual([hits[0]?.path, by, note], ['zoo.md', 'keywords and embeddings', '3 of 3 files have vectors.']);
    const fused = await rank('which animal sees the moon');
    assert.deepEqual(new Set(fused.hits.slice(0, 2).map((hit) => hit.path)), new Set(['night.md', 'zoo.md']));
    assert.equal(server.authorization, `Bearer ${key}`);
    await index.close();
  });

  test('T11: vectors are kept by content: a second process asks for the question alone', async () => {
    const first = openIndex();
    await first.settle();
    await first.index.close();
    server.texts = 0;
    const second = openIndex(first.stateFolder);
    await second.settle();
    assert.equal((await second.rank('coins')).hits[0]?.path, 'shop.md');
    assert.equal(server.texts, 1);
    await second.index.close();
  });

  const failures: [Behaviour, RegExp][] = [
    ['status', /^Ranked by keywords alone: the endpoint answered with status 500\.$/],
    ['garbage', /something else than vectors/],
    ['too-few', /0 vectors for 1 texts/],
    ['longer-vectors', /another length \(5\)/],
    ['silent', /did not answer in 3 s/],
  ];
  for (const [behaviour, note] of failures) {
    test(`T11: an endpoint that fails (${behaviour}) leaves keywords, and the result names it`, async () => {
      const { index, rank, settle, time } = openIndex();
      await settle();
      server.behaviour = behaviour;
      const ranking = await rank('wombat');
      assert.deepEqual([ranking.hits[0]?.path, ranking.by], ['zoo.md', 'keywords']);
      assert.match(ranking.note ?? '', note);
      assert.ok(!JSON.stringify(ranking).includes(key) && !ranking.note?.includes('127.0.0.1'));
      server.behaviour = 'vectors';
      time.passed += 60_000;
      assert.equal((await rank('wombat')).by, 'keywords and embeddings');
      await index.close();
    });
  }

  test('T11: an endpoint that is down is left alone for a while, and costs later questions nothing', async () => {
    const gone = new EmbeddingServer();
    const address = await gone.start();
    await gone.stop();
    const { index, rank, settle } = openIndex(undefined, address);
    await settle();
    for (const _ of [1, 2]) assert.match((await rank('wombat')).note ?? '', /cannot be reached/);
    await index.close();
  });

  test('T11: what the endpoint did not take is made up for when it is back', async () => {
    server.behaviour = 'status';
    const { index, rank, settle, time } = openIndex();
    await settle();
    assert.match((await rank('wombat')).note ?? '', /status 500/);
    server.behaviour = 'vectors';
    time.passed += 60_000;
    await settle();
    assert.equal((await rank('animals')).hits[0]?.path, 'zoo.md');
    await index.close();
  });
});

test('T11: passages hold every line of a text once, and are small', () => {
  const line = fc.string({ maxLength: 200 }).map((text) => text.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const passages = cutPassages('a.txt', lines.join('\n'));
      for (const { line: start, text } of passages) {
        assert.ok(text.length <= 1_800);
        const body = text.split('\n').slice(1, -1);
        assert.deepEqual(
          body,
          lines.slice(start - 1, start - 1 + body.length).map((one) => one.toWellFormed()),
        );
      }
      const covered = passages.reduce((count, { text }) => count + text.split('\n').length - 2, 0);
      const blank = lines.filter((one) => one.trim() === '').length;
      if (passages.length < 12) assert.ok(covered >= lines.length - blank);
    }),
  );
});
