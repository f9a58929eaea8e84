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
const DEPTH = 5;

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

/** `npm test`, `npm run -s x`, `pnpm x`, `yarn run x` -> the script's name. */
function calledScript(words: readonly string[]): string | undefined {
  if (!MANAGERS.has(words[0] ?? '')) return undefined;
  const plain = words.slice(1).filter((word) => !word.startsWith('-'));
  return plain[0] === 'run' || plain[0] === 'run-script' ? plain[1] : plain[0];
}

/** `node test/all.js`: a runner if that file uses node:test. */
async function runnerOfFile(reader: RepositoryReader, command: ScriptCommand): Promise<Runner | undefined> {
  const [first, ...rest] = command.words;
  const file = rest.findLast((word) => /\.[cm]?[jt]s$/.test(word));
  if (first !== 'node' || file === undefined) return undefined;
  const text = await reader.readText(file.replace(/^\.\//, ''));
  if (text === undefined || !usesNodeTest(text)) return undefined;
  return { framework: 'node-test', argv: command.words, environment: {} };
}

/** Whether a source file loads node:test. */
export function usesNodeTest(source: string): boolean {
  return /(from|import|require\()\s*\(?\s*['"]node:test['"]/.test(source);
}
