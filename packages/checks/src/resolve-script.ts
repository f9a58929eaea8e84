import { posix } from 'node:path';
import type { PackageManifest } from './package-manifest.ts';
import { parseScript, type ScriptCommand } from './parse-script.ts';
import { type Runner, recogniseRunner } from './recognise-runner.ts';
import type { RepositoryReader } from './repository-reader.ts';

/** The test runner behind a script, and whether words added at the script's end reach it. */
export interface ResolvedScript {
  readonly runner: Runner;
  readonly appendable: boolean;
}

const MANAGERS = new Set(['npm', 'pnpm', 'yarn']);
const COVERAGE = new Set(['c8', 'nyc']);
const DEPTH = 5;
const MAX_IMPORTS = 20;

/** Follows a script, through `npm run` of other scripts, to the first test runner that it calls. */
export async function resolveScript(
  reader: RepositoryReader,
  manifest: PackageManifest,
  name: string,
  depth = 0,
): Promise<ResolvedScript | undefined> {
  const script = Object.hasOwn(manifest.scripts, name) ? manifest.scripts[name] : undefined;
  if (script === undefined || depth > DEPTH) return undefined;
  for (const command of parseScript(script)) {
    const runner = recogniseRunner(command.words) ?? (await runnerOfFile(reader, command));
    if (runner !== undefined) {
      return { runner, appendable: command.operator === undefined && !command.needsShell };
    }
    const next = calledScript(command.words);
    const resolved = next === undefined ? undefined : await resolveScript(reader, manifest, next, depth + 1);
    if (resolved !== undefined) return { runner: resolved.runner, appendable: false };
  }
  return undefined;
}

/** `npm test`, `npm run -s x`, `pnpm x`, `yarn run x`, `c8 npm run x` -> the script's name. */
function calledScript(all: readonly string[]): string | undefined {
  const words = withoutCoverage(all);
  if (!MANAGERS.has(words[0] ?? '')) return undefined;
  const plain = words.slice(1).filter((word) => !word.startsWith('-'));
  return plain[0] === 'run' || plain[0] === 'run-script' ? plain[1] : plain[0];
}

/** `node test/all.js`: a runner if that file, or one that it imports, uses node:test. */
async function runnerOfFile(reader: RepositoryReader, command: ScriptCommand): Promise<Runner | undefined> {
  const words = withoutCoverage(command.words);
  const [first, ...rest] = words;
  const file = rest.findLast((word) => /\.[cm]?[jt]s$/.test(word))?.replace(/^\.\//, '');
  if (first !== 'node' || file === undefined) return undefined;
  const text = await reader.readText(file);
  if (text === undefined || !(usesNodeTest(text) || (await importsNodeTest(reader, file, text)))) return undefined;
  return { framework: 'node-test', argv: words, environment: {} };
}

/** Behind `c8 --100 --reporter lcov`: the words from the command that it measures on. */
function withoutCoverage(words: readonly string[]): readonly string[] {
  if (!COVERAGE.has(words[0] ?? '')) return words;
  const start = words.findIndex((word) => word === 'node' || MANAGERS.has(word));
  return start < 0 ? [] : words.slice(start);
}

async function importsNodeTest(reader: RepositoryReader, file: string, text: string): Promise<boolean> {
  const names = [...text.matchAll(/(?:from|import|require\()\s*\(?\s*['"](\.[^'"]+\.[cm]?[jt]s)['"]/g)];
  for (const [, name = ''] of names.slice(0, MAX_IMPORTS)) {
    const imported = await reader.readText(posix.join(posix.dirname(file), name));
    if (imported !== undefined && usesNodeTest(imported)) return true;
  }
  return false;
}

/** Whether a source file loads node:test. */
export function usesNodeTest(source: string): boolean {
  return /(from|import|require\()\s*\(?\s*['"]node:test['"]/.test(source);
}
