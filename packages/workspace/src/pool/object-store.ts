import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrivateGit } from '../git/private-git.ts';

const looseFolder = /^[0-9a-f]{2}$/;
const looseFile = /^[0-9a-f]{38}$/;
/** Of the files of a pack, the one that makes it known (`.idx`) sorts in front: it is linked last. */
const packFile = /^pack-[0-9a-f]{40}\.(?:pack|rev|idx)$/;

/** More single objects, or more packs, than this are brought together. */
const mostLoose = 256;
const mostPacks = 16;

/** Links all objects of one store into another. Objects never change, so both can have them. */
export async function linkObjects(from: string, to: string): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      await linkFolder(join(from, 'pack'), join(to, 'pack'), packFile);
      const folders = (await readdir(from)).filter((name) => looseFolder.test(name));
      for (const folder of folders) await linkFolder(join(from, folder), join(to, folder), looseFile);
      // Objects that were packed meanwhile are in a pack that was not there when the packs were linked.
      await linkFolder(join(from, 'pack'), join(to, 'pack'), packFile);
      return;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || time === 3) throw thrown;
    }
  }
}

async function linkFolder(from: string, to: string, wanted: RegExp): Promise<void> {
  const names = (await readdir(from)).filter((name) => wanted.test(name));
  if (names.length === 0) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const lastIndexes = names.toSorted((one, other) => Number(one.endsWith('.idx')) - Number(other.endsWith('.idx')));
  for (const name of lastIndexes) await linkFile(join(from, name), join(to, name));
}

async function linkFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    // File systems without links, and files with too many.
    if (code !== 'EPERM' && code !== 'EMLINK' && code !== 'EXDEV' && code !== 'ENOTSUP') throw thrown;
    await copyFile(from, to);
  }
}

/** Brings single objects and small packs together into one pack. Nothing is lost when it is cut off at any moment. */
export async function packObjects(git: PrivateGit): Promise<void> {
  const objects = join(git.folder, 'objects');
  const loose = await looseObjects(objects);
  const packs = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.idx'));
  const all = packs.length > mostPacks;
  if (!all && loose.length <= mostLoose) return;
  const ids = all ? await allObjects(git) : loose.map(({ id }) => id);
  const flags = ['pack-objects', '--window=0', '--quiet', '--no-reuse-delta', join(objects, 'pack', 'pack')];
  const input = ids.map((id) => `${id}\n`).join('');
  const made = (await git.run(flags, git.folder, `index.pack.${randomUUID()}`, { input, background: true })).stdout;
  for (const { path } of loose) await rm(path, { force: true });
  if (all) await removePacks(join(objects, 'pack'), packs, `pack-${made.toString('latin1').trim()}.idx`);
}

/** The index goes first: without it a pack is not known, so nobody looks for what is gone. */
async function removePacks(folder: string, indexes: readonly string[], kept: string): Promise<void> {
  for (const index of indexes.filter((name) => name !== kept)) {
    const name = index.slice(0, -'.idx'.length);
    for (const end of ['idx', 'rev', 'pack']) await rm(join(folder, `${name}.${end}`), { force: true });
  }
}

async function allObjects(git: PrivateGit): Promise<string[]> {
  const flags = ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)', '--unordered'];
  const listed = await git.run(flags, git.folder, 'index.none');
  return listed.stdout.toString('latin1').trim().split('\n');
}

async function looseObjects(objects: string): Promise<{ readonly id: string; readonly path: string }[]> {
  const found: { id: string; path: string }[] = [];
  for (const folder of (await readdir(objects)).filter((name) => looseFolder.test(name))) {
    const names = (await readdir(join(objects, folder))).filter((name) => looseFile.test(name));
    found.push(...names.map((name) => ({ id: `${folder}${name}`, path: join(objects, folder, name) })));
  }
  return found;
}
