import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileCacheFolder } from './compile-cache.mjs';
import { runConformance } from './tests/conformance.ts';
import { findTestFiles } from './tests/find-test-files.ts';
import { runNodeTests } from './tests/node-tests.ts';
import { readSkipRules, testConditions, unlistedSkips } from './tests/skips.ts';
import { joinSummaries, type TestSummary, totalLine } from './tests/summary.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Runs all tests, or those whose path contains one of the filters; true when all is well. */
async function runTests(filters: readonly string[]): Promise<boolean> {
  const { testFiles, conformanceFiles } = findTestFiles(root, filters);
  const parts: TestSummary[] = [];
  if (testFiles.length > 0) parts.push(await runNodeTests(root, testFiles, Math.min(2, availableParallelism()), say));
  if (conformanceFiles.length > 0) parts.push(await runConformance(root, conformanceFiles, say));
  const summary = joinSummaries(parts);
  const good = report(summary);
  say(`\n${totalLine(summary)}`);
  return good;
}

function report(summary: TestSummary): boolean {
  for (const failure of summary.failures) say(`\nFAILED ${failure.id}\n${failure.message}`);
  const unlisted = unlistedSkips(summary.skips, readSkipRules(root), testConditions());
  for (const skip of summary.skips) {
    const note = unlisted.includes(skip) ? 'tests/skips.json does not allow this here' : 'as listed';
    say(`\nSKIPPED ${skip.id}\n${skip.reason} (${note})`);
  }
  const ran = summary.passed + summary.failures.length > 0;
  if (!ran) say('\nNo test ran: that counts as a failure.');
  const skipsAreFine = unlisted.length === 0 || process.env.CI !== 'true';
  if (!skipsAreFine) say(`\n${unlisted.length} skipped tests are not allowed here: that counts as a failure.`);
  return ran && summary.failures.length === 0 && skipsAreFine;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Gives the tests a temporary folder of their own, and says what they have left in it. */
async function inOwnTemporaryFolder(work: () => Promise<boolean>): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-tests-'));
  // Some tests go on as another user, who needs a place too.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  try {
    return await work();
  } finally {
    const left = readdirSync(folder);
    if (left.length > 0) process.stderr.write(`The tests left in the temporary folder: ${left.join(', ')}\n`);
    rmSync(folder, { recursive: true, force: true });
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
const cache = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder(process.env);
if (cache !== undefined) process.env.NODE_COMPILE_CACHE = cache;
process.exitCode = (await inOwnTemporaryFolder(() => runTests(positionals))) ? 0 : 1;
