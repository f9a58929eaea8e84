import { createHash } from 'node:crypto';
import { type FSWatcher, lstatSync } from 'node:fs';
import type { StopWatch } from '@capstan/tool-server';
import { type Entry, walkFiles } from '@capstan/workspace';
import { watchFolder } from './watch-folder.ts';

/** The first look comes after the start, which it would slow down. Milliseconds. */
const startMs = 500;
/** From a change to a look at the whole list, which several changes share. Milliseconds. */
const settleMs = 300;
/** Folders that are watched: the system has a limit for all processes of a user. */
const mostFolders = 2_000;
const deepest = 64;

/** Calls `changed` when the list of files has changed: names that came or went, in up to 2,000 folders. */
export function watchList(root: string, changed: () => void): StopWatch {
  const watch = new ListWatch(root, changed);
  watch.lookIn(startMs);
  return () => watch.stop();
}

class ListWatch {
  readonly #root: string;
  readonly #changed: () => void;
  /** By folder and path: a folder that was replaced is another one. */
  #watchers = new Map<string, FSWatcher | undefined>();
  #known: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #stopped = false;

  constructor(root: string, changed: () => void) {
    this.#root = root;
    this.#changed = changed;
  }

  lookIn(ms: number): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#looking) this.lookIn(ms);
      // A workspace that cannot be walked any more is gone: there is nothing to tell of it.
      else void this.#look().catch(() => this.stop());
    }, ms).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher?.close();
    this.#watchers.clear();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    const digest = createHash('sha256');
    const present = new Set([this.#watch(this.#root, '')]);
    await walkFiles(this.#root, '.', { depth: deepest, ignore: true }, async (entry) => {
      if (entry.kind === 'folder' && present.size < mostFolders) present.add(this.#watchEntry(entry));
      if (entry.kind === 'file') digest.update(`${entry.path}\0`);
      return !this.#stopped;
    });
    this.#looking = false;
    for (const [key, watcher] of this.#watchers) {
      if (present.has(key)) continue;
      watcher?.close();
      this.#watchers.delete(key);
    }
    const known = digest.digest('hex');
    const differs = this.#known !== undefined && this.#known !== known;
    this.#known = known;
    if (differs && !this.#stopped) this.#changed();
  }

  #watchEntry({ folder, name, path }: Entry): string {
    return this.#watch(folder.at(name), path);
  }

  /** Watches a folder unless it is watched already; gives its key. */
  #watch(place: string, path: string): string {
    const key = `${lstatSync(place, { throwIfNoEntry: false })?.ino} ${path}`;
    if (!this.#stopped && !this.#watchers.has(key)) {
      this.#watchers.set(
        key,
        watchFolder(place, () => this.lookIn(settleMs)),
      );
    }
    return key;
  }
}
