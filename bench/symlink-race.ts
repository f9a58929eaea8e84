import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openInside, readFileAtOnce, readToEnd, walkFiles, writeFileAtomically } from '@capstan/workspace';

/**
 * F10: another process swaps files and folders of a workspace for links to the outside, as fast as it can, while this one
 * reads, walks and writes. Use: node bench/symlink-race.ts [OPERATIONS, 100000 unless given]
 */
const canary = 'CANARY-OUTSIDE';

if (process.argv[2] === 'swap') swapForever(process.argv[3] ?? '');
else await race(Number(process.argv[2] ?? 100_000));

function swapForever(base: string): void {
  const root = join(base, 'root');
  for (let round = 0; ; round += 1) {
    const out = round % 2 === 0;
    swap(out ? join(base, 'outside') : 'real', join(root, 'folder'));
    swap(out ? '../outside/secret.txt' : 'real/secret.txt', join(root, 'file'));
    swap(join(base, 'outside/secret.txt'), join(root, 'real/target.txt'));
  }
}

function swap(target: string, path: string): void {
  symlinkSync(target, `${path}.new`);
  renameSync(`${path}.new`, path);
}

async function race(operations: number): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'capstan-race-'));
  const root = join(base, 'root');
  await mkdir(join(root, 'real'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'outside/secret.txt'), canary);
  await writeFile(join(root, 'real/secret.txt'), 'inside');
  await writeFile(join(base, `outside/${canary}`), '');
  swap('real', join(root, 'folder'));
  const swapper = spawn(process.execPath, [fileURLToPath(import.meta.url), 'swap', base], { stdio: 'inherit' });
  const counts = { inside: 0, refused: 0, written: 0, leaks: 0 };
  try {
    for (let done = 0; done < operations; done += 1) await operate(root, done, counts);
    if (swapper.exitCode !== null) throw new Error('The swapping process ended early: nothing was measured.');
  } finally {
    if (swapper.kill('SIGKILL')) await once(swapper, 'exit');
  }
  if ((await readFile(join(base, 'outside/secret.txt'), 'utf8')) !== canary) counts.leaks += 1;
  counts.leaks += (await readdir(join(base, 'outside'))).length - 2;
  await rm(base, { recursive: true });
  console.log(JSON.stringify({ figure: 'F10', operations, ...counts }));
  process.exitCode = counts.leaks === 0 ? 0 : 1;
}

async function operate(
  root: string,
  round: number,
  counts: Record<'inside' | 'refused' | 'written' | 'leaks', number>,
) {
  const kind = round % 10;
  if (kind < 7) count(await read(root, kind % 2 === 0 ? 'file' : 'folder/secret.txt'), counts);
  else if (kind === 7) count(await walk(root), counts);
  else {
    const path = kind === 8 ? `folder/new-${round % 5}.txt` : 'real/target.txt';
    const written = await writeFileAtomically(root, path, Buffer.from('mine'), { token: 'race' });
    if ('failure' in written) counts.refused += 1;
    else counts.written += 1;
  }
}

function count(text: string | undefined, counts: Record<'inside' | 'refused' | 'leaks', number>): void {
  if (text === undefined) counts.refused += 1;
  else if (text.includes(canary)) counts.leaks += 1;
  else counts.inside += 1;
}

async function read(root: string, path: string): Promise<string | undefined> {
  const file = await openInside(root, path);
  if ('failure' in file) return undefined;
  return String(await readToEnd(file, 1000));
}

/** Names and contents, as list_files and search_text see them. */
async function walk(root: string): Promise<string | undefined> {
  const seen: string[] = [];
  const walked = await walkFiles(root, 'folder', { depth: 2, ignore: true }, async (entry) => {
    seen.push(entry.path, String(readFileAtOnce(entry.folder, entry.name, 1000)));
    return true;
  });
  return 'failure' in walked ? undefined : seen.join('\n');
}
