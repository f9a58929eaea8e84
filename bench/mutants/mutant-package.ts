import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Call, Library } from './library.ts';

const TIME_MS = 10_000;
const answers = join(import.meta.dirname, 'answer-calls.mjs');

/** Where the module lies in a package that was written here. */
export function modulePath(root: string, { file }: Library): string {
  return join(root, 'src', file.split('/').at(-1) ?? file);
}

/** Writes a package with one module, and a suite of one test for each call that expects what the library answers. */
export function writePackage(
  root: string,
  library: Library,
  text: string,
  calls: readonly Call[],
  expected: readonly string[],
): void {
  const target = modulePath(root, library);
  mkdirSync(dirname(target), { recursive: true });
  mkdirSync(join(root, 'test'), { recursive: true });
  const manifest = { name: 'mutant', type: library.format, scripts: { test: 'node --test' } };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(target, text);
  cpSync(answers, join(root, 'support', 'answer-calls.mjs'));
  writeFileSync(join(root, 'test', 'library.test.mjs'), suiteText(library, calls, expected));
}

function suiteText(library: Library, calls: readonly Call[], expected: readonly string[]): string {
  const file = library.file.split('/').at(-1);
  const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as library from '../src/${file}';
import { answerTo, exportsOf } from '../support/answer-calls.mjs';

const exports = exportsOf(library, '${library.format}');
`;
  const tests = calls.map((call, index) => {
    const name = `${index}: ${call.of}(${JSON.stringify(call.args).slice(1, -1).slice(0, 60)})`;
    return `test(${JSON.stringify(name)}, () => {
  assert.equal(answerTo(exports, ${JSON.stringify(call)}), ${JSON.stringify(expected[index])});
});
`;
  });
  return head + tests.join('');
}

/** What a module answers to calls; undefined where it cannot be loaded or does not end. */
export function answersOf(path: string, { format }: Library, calls: readonly Call[]): string[] | undefined {
  const run = spawnSync(process.execPath, [answers, path], {
    input: JSON.stringify({ format, calls }),
    encoding: 'utf8',
    timeout: TIME_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  });
  return run.status === 0 ? (JSON.parse(run.stdout) as string[]) : undefined;
}
