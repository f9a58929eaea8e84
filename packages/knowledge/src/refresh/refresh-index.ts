import { setImmediate } from 'node:timers/promises';
import { CapstanError } from '@capstan/contracts';
import { type Entry, type FileStamp, stampIn, walkFiles } from '@capstan/workspace';
import type { FileRow, IndexedFile, IndexStore } from '../store/index-store.ts';
import type { WordCounter } from '../words/word-counter.ts';
import { readDocument, readForIndex } from './read-document.ts';

/** What one look at the files has found. */
export interface Refreshed {
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export interface RefreshDeps {
  readonly root: string;
  readonly store: IndexStore;
  readonly counter: WordCounter;
  /** Milliseconds since the epoch: compared with the times of files. */
  readonly now: () => number;
}

/** A transaction holds so much at most. */
const batchFiles = 500;
const batchCharacters = 8 * 1024 * 1024;
/** Other calls get their turn after so many milliseconds. */
const sliceMs = 25;
/** Deeper folders are left out: a chain of that length is a mistake or a trap. */
const deepest = 64;
/** A file that changed so shortly before it was read may change again without a new time. Milliseconds. */
const clockGrain = 50;

/**
 * Brings the index up to date with the files. A file whose size, time and inode are as they were is not opened; one whose
 * content is what it was is not indexed again. What was written stays when the process dies; nothing is removed before
 * all files were seen. Throws `workspace-lost` when the folder is gone.
 */
export async function refreshIndex(deps: RefreshDeps, signal: AbortSignal): Promise<Refreshed> {
  const pass = new Pass(deps);
  const walked = await walkFiles(deps.root, '.', { depth: deepest, ignore: true }, async (entry) => {
    if (entry.kind === 'file') pass.visit(entry);
    if (pass.sliceEnded()) await setImmediate();
    return !signal.aborted;
  });
  if ('failure' in walked) throw new CapstanError('workspace-lost', walked.failure.message);
  return pass.finish(walked.complete);
}

/** One walk over the files. */
class Pass {
  readonly #deps: RefreshDeps;
  readonly #known: Map<string, FileRow>;
  readonly #touched: { id: number; stamp: FileStamp }[] = [];
  #batch: IndexedFile[] = [];
  #characters = 0;
  #sliceStart: number;
  #seen = 0;
  #added = 0;
  #changed = 0;

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
    this.#known = deps.store.files();
    this.#sliceStart = deps.now();
  }

  visit(entry: Entry): void {
    const stamp = stampIn(entry.folder, entry.name);
    if (stamp === undefined) return;
    this.#seen += 1;
    const known = this.#known.get(entry.path);
    this.#known.delete(entry.path);
    if (known !== undefined && isSame(known.stamp, stamp)) return;
    const reading = readForIndex(entry.folder, entry.name);
    if (known !== undefined && typeof reading === 'object' && reading.sha256 === known.sha256) {
      this.#touched.push({ id: known.id, stamp: this.#settled(reading.stamp) });
      return;
    }
    if (known === undefined) this.#added += 1;
    else this.#changed += 1;
    const document = readDocument(entry.path, stamp, reading, this.#deps.counter);
    this.#add({ ...document, stamp: this.#settled(document.stamp) });
  }

  sliceEnded(): boolean {
    const now = this.#deps.now();
    if (now - this.#sliceStart < sliceMs) return false;
    this.#sliceStart = now;
    return true;
  }

  finish(complete: boolean): Refreshed {
    this.#flush();
    if (this.#touched.length > 0) this.#deps.store.touch(this.#touched);
    const gone = complete ? [...this.#known.keys()] : [];
    if (gone.length > 0) this.#deps.store.remove(gone);
    return { files: this.#seen, added: this.#added, changed: this.#changed, removed: gone.length };
  }

  #add(file: IndexedFile): void {
    this.#batch.push(file);
    this.#characters += file.words.body.length;
    if (this.#batch.length >= batchFiles || this.#characters >= batchCharacters) this.#flush();
  }

  #flush(): void {
    if (this.#batch.length > 0) this.#deps.store.put(this.#batch);
    this.#batch = [];
    this.#characters = 0;
  }

  /** A time too close to now says nothing: it is kept as one that no file has, so that the next pass looks again. */
  #settled(stamp: FileStamp): FileStamp {
    return this.#deps.now() - stamp.changedAt > clockGrain ? stamp : { ...stamp, changedAt: 0 };
  }
}

function isSame(first: FileStamp, second: FileStamp): boolean {
  return first.size === second.size && first.changedAt === second.changedAt && first.inode === second.inode;
}
