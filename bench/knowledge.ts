// What the index of the knowledge server costs: `node bench/knowledge.ts [FOLDER] [--files 4000] [--queries 200]`.
// FOLDER is a tree of code and documents, only read; without one, as many files are made up. CPU time of the whole process to
// index, to find that nothing has changed and to draw a map, beside reading and hashing the same files by the same walk in
// the same run; CPU and wall time of ranked queries of two to five words that stand in the files, and of a long one.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawMap, KnowledgeIndex, rankFiles } from '@capstan/knowledge';
import { readFileIn, sha256, walkFiles } from '@capstan/workspace';
import { makeLargeRepository } from './large-repository.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '4000' }, queries: { type: 'string', default: '200' } },
});
const base = mkdtempSync(join(tmpdir(), 'knowledge-bench-'));
try {
  await measure(positionals[0] ?? makeFolder(Number(values.files)), Number(values.queries));
} finally {
  rmSync(base, { recursive: true, force: true });
}

function makeFolder(files: number): string {
  const root = join(base, 'root');
  makeLargeRepository(root, files, process.env.PATH ?? '');
  return root;
}

async function measure(root: string, queries: number): Promise<void> {
  // Once before what counts, so that the cache of the system and the compiler are warm for both.
  const { words } = await readAndHash(root);
  const began = cpu();
  const { files, bytes } = await readAndHash(root);
  const reading = cpu() - began;
  console.log(`${files} files, ${(bytes / 1e6).toFixed(1)} MB; reading and hashing: ${reading.toFixed(0)} ms CPU`);

  const stateFolder = join(base, 'state');
  const clock = { now: () => Date.now(), steady: () => performance.now() * 1e6 };
  const index = new KnowledgeIndex({ root, stateFolder, clock });
  const report = async (name: string, work: () => Promise<unknown>) => {
    const start = cpu();
    await work();
    const spent = cpu() - start;
    console.log(`${name}: ${spent.toFixed(0)} ms CPU, ${(spent / reading).toFixed(1)} x`);
  };
  await report('index from nothing', () => index.use({ firstMs: 600_000, againMs: 600_000 }, () => undefined));
  await report('look again, times too young the first time', () =>
    index.use({ firstMs: 600_000, againMs: 600_000 }, () => undefined),
  );
  await report('look again, nothing changed', () => index.use({ firstMs: 600_000, againMs: 600_000 }, () => undefined));
  await index.use({ firstMs: 600_000, againMs: 600_000 }, async (open) => {
    await report('map, references made anew', async () => {
      drawMap(index.graph(open), { budget: 4096, shows: () => true, about: new Set() });
    });
    await timeQueries('ranked query of 2 to 5 words', queries, (round) =>
      rankFiles(open, pick(words, round, 2 + (round % 4)), () => true),
    );
    await timeQueries('ranked query of 100 words', queries / 4, (round) =>
      rankFiles(open, pick(words, round, 100), () => true),
    );
  });
  await index.close();
  const size = readdirSync(stateFolder).reduce((sum, name) => sum + statSync(join(stateFolder, name)).size, 0);
  console.log(`index on disk: ${(size / 1e6).toFixed(1)} MB, ${((100 * size) / bytes).toFixed(0)} % of the files`);
}

async function readAndHash(root: string): Promise<{ files: number; bytes: number; words: string[] }> {
  let [files, bytes] = [0, 0];
  const words: string[] = [];
  await walkFiles(root, '.', { depth: 64, ignore: true }, async ({ kind, folder, name }) => {
    const read = kind === 'file' ? readFileIn(folder, name, 2 * 1024 * 1024) : undefined;
    if (read === undefined || read === 'too-large') return true;
    sha256(read.bytes);
    files += 1;
    bytes += read.bytes.length;
    if (files % 7 === 0)
      words.push(...(read.bytes.toString('latin1', 0, 3_000).match(/[A-Za-z]{4,20}/g) ?? []).slice(-8));
    return true;
  });
  return { files, bytes, words };
}

/** Words that stand in the files, the same ones in each run. */
function pick(words: readonly string[], round: number, count: number): string {
  return Array.from({ length: count }, (_, index) => words[(round * 7919 + index * 104_729) % words.length]).join(' ');
}

async function timeQueries(name: string, count: number, query: (round: number) => Promise<unknown>): Promise<void> {
  const [walls, cpus]: [number[], number[]] = [[], []];
  for (let round = 0; round < count; round += 1) {
    const [start, spent] = [performance.now(), cpu()];
    await query(round);
    walls.push(performance.now() - start);
    cpus.push(cpu() - spent);
  }
  const show = (times: number[]) => {
    times.sort((first, second) => first - second);
    const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1);
    return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`;
  };
  console.log(`${name}: CPU ${show(cpus)}; wall ${show(walls)}`);
}

/** Of this process with all its threads. Milliseconds. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
