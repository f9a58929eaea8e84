/**
 * What sessions leave on disk, and what `capstan gc` frees: `node bench/gc.ts [--files 20000] [--sessions 50]`.
 * Each session is a real run of `bin/capstan` that repairs one failing test in a repository of that many files and applies
 * the change; then the bug is put back. Time of each command, and disk of the data folder, as `du` counts it, after it.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeLargeRepository } from './large-repository.ts';

const { values } = parseArgs({
  options: { files: { type: 'string', default: '20000' }, sessions: { type: 'string', default: '50' } },
});
const sessions = Number(values.sessions);
const binary = fileURLToPath(new URL('../bin/capstan', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'capstan-bench-gc-'));
const root = join(base, 'repository');
const home = join(base, 'home');
const searchPath = process.env.PATH ?? '';

function capstan(...args: string[]): SpawnSyncReturns<string> {
  const env = { PATH: searchPath, HOME: home, CAPSTAN_HOME: join(home, 'state') };
  return spawnSync(binary, args, { cwd: root, encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
}

/** Does it, and says what it took in time and what is on disk afterwards. */
function measured(name: string, work: () => SpawnSyncReturns<string>, expected: number): void {
  const start = performance.now();
  const ended = work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (ended.status !== expected) throw new Error(`${name} ended with ${ended.status}: ${ended.stderr}${ended.stdout}`);
  const du = spawnSync('du', ['-sm', home], { encoding: 'utf8' }).stdout.split('\t')[0];
  console.log(`${name.padEnd(44)} ${seconds.padStart(6)} s  ${du?.padStart(6)} MB on disk`);
}

/** One wrong operator and the test that sees it, beside the many files. */
function addBug(): void {
  writeFileSync(join(root, 'package.json'), '{"type":"module","scripts":{"test":"node --test sum.test.js"}}\n');
  writeFileSync(join(root, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
  writeFileSync(
    join(root, 'sum.test.js'),
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from './sum.js';
test('adds', () => assert.equal(sum(2, 3), 5));
test('adds nothing', () => assert.equal(sum(2, 0), 2));
`,
  );
}

try {
  mkdirSync(root);
  mkdirSync(home);
  const bytes = makeLargeRepository(root, Number(values.files), searchPath);
  console.log(`${values.files} files, ${(bytes / 1024 / 1024).toFixed(0)} MB, ${sessions} sessions`);
  for (let number = 1; number <= sessions; number += 1) {
    addBug();
    measured(`session ${number}`, () => capstan('run', 'make the failing tests pass', '--apply'), 0);
  }
  measured('gc --dry-run', () => capstan('gc', '--dry-run', '--json'), 0);
  measured('gc (all are too young to go)', () => capstan('gc'), 0);
  measured('diff last, from what gc left', () => capstan('diff', 'last'), 0);
  measured('gc --keep-days 0', () => capstan('gc', '--keep-days', '0'), 0);
  console.log(capstan('sessions').stdout.split('\n').slice(0, 3).join('\n'));
} finally {
  rmSync(base, { recursive: true, force: true });
}
