import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxBind, SandboxKind, SandboxRunner } from '@capstan/contracts';
import { defaultLimits } from './default-limits.ts';
import { removeTree } from './remove-tree.ts';
import { createSandboxRunner } from './sandbox-runner.ts';

/** Which overlays work over given folders, found out by making them and writing. */
export interface OverlaySupport {
  /** Writes can be kept in the folder that was tried. */
  readonly kept: boolean;
  /** Writes can be kept in memory. */
  readonly memory: boolean;
  /** One line for events and `doctor`. */
  readonly detail: string;
}

export interface OverlayTrial {
  readonly kind: SandboxKind;
  readonly searchPath: string;
  /** A folder of the host that could keep what is written, such as a session's. */
  readonly folder: string;
  /** The folders that are to lie below. */
  readonly lowers: readonly string[];
}

/** What overlays on unfit file systems get wrong: change, remove and make anew, rename. Prints `held` at its end. */
const semantics = `cd /probe/own && echo more >> file && rm -r sub && mkdir sub && [ -z "$(ls -A sub)" ] &&
mv file moved && [ "$(cat moved)" = "$(printf 'text\\nmore')" ] && ! [ -e file ] || exit 1`;

/** A real file of each folder is brought up, unchanged: its owner may be one that nothing can be written for. */
const realFolders = `for folder in /probe/real/*; do
  [ -d "$folder" ] || continue
  cd "$folder" && mkdir .capstan-probe && rmdir .capstan-probe || exit 1
  file=$(find . -maxdepth 3 -type f 2>/dev/null | head -n 1)
  [ -z "$file" ] || : >> "$file" || exit 1
done
echo held`;

/**
 * Tries overlays where they are to be used: on the real folders, in a sandbox, with what is written kept in a folder of
 * the host and in memory. Nothing of it stays.
 */
export async function tryOverlays(trial: OverlayTrial): Promise<OverlaySupport> {
  if (trial.kind === 'none') return { kept: false, memory: false, detail: 'no overlays: there is no sandbox' };
  const own = await mkdtemp(join(trial.folder, 'overlay-trial-'));
  try {
    await mkdir(join(own, 'lower/sub'), { recursive: true });
    await writeFile(join(own, 'lower/file'), 'text\n');
    await writeFile(join(own, 'lower/sub/inner'), '');
    const runner = createSandboxRunner({ kind: trial.kind, searchPath: trial.searchPath, controlGroups: false });
    const lowers = [join(own, 'lower'), ...trial.lowers];
    const [kept, memory] = await Promise.all([
      fault(runner, lowers, await upperFolders(join(own, 'uppers'), lowers.length)),
      fault(runner, lowers, []),
    ]);
    return { kept: kept === undefined, memory: memory === undefined, detail: describe(kept, memory) };
  } finally {
    await removeTree(own);
  }
}

async function upperFolders(folder: string, count: number): Promise<string[]> {
  const folders = Array.from({ length: count }, (_, index) => join(folder, String(index)));
  for (const path of folders) await mkdir(path, { recursive: true });
  return folders;
}

async function fault(
  runner: SandboxRunner,
  lowers: readonly string[],
  uppers: readonly string[],
): Promise<string | undefined> {
  const binds = lowers.map((from, index): SandboxBind => {
    const upper = uppers[index];
    const to = index === 0 ? '/probe/own' : `/probe/real/${index}`;
    return { from, to, access: 'overlay', ...(upper === undefined ? {} : { upper }) };
  });
  const output = await runner.run({
    argv: ['/bin/sh', '-c', `${semantics}\n${realFolders}`],
    profile: {
      binds,
      masked: [],
      environment: { PATH: '/usr/bin:/bin' },
      workingDirectory: '/tmp',
      limits: { ...defaultLimits, milliseconds: 20_000 },
    },
  });
  if (Buffer.from(output.stdout).toString().trim() === 'held') return undefined;
  const lines = Buffer.from(output.stderr).toString().trim().split('\n');
  const said = lines.findLast((line) => !/^\s*$|dmesg/.test(line))?.replace(/^mount: \S+: /, '') ?? '';
  return said === '' ? `it ended by ${output.ended}` : said;
}

function describe(kept: string | undefined, memory: string | undefined): string {
  if (kept === undefined) return 'overlays that keep what is written';
  if (memory === undefined) return `overlays in memory (not on this file system: ${kept})`;
  return `no overlays (${kept}; in memory: ${memory})`;
}
