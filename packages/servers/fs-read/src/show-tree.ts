import { lstatSync } from 'node:fs';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { defineTool, type Tool } from '@capstan/tool-server';
import { checkRelativePath, type Entry, errorCode, isDenied, walkFiles } from '@capstan/workspace';
import { z } from 'zod';

/** Counting ends after this time and says so. Milliseconds. */
const countMs = 5_000;
/** Other calls get their turn after so many entries. */
const turnEntries = 500;
const deepest = 64;

const description = `Shows the folders of the workspace as an indented tree, each with the number and bytes of all files below it. Use it first in a large or unknown project, to see where the weight is. \
Leaves out what list_files leaves out; counts for 5 seconds at most. For the names of files use list_files.`;

const FolderCount = z.strictObject({ path: z.string(), files: z.number(), bytes: z.number() });
type FolderCount = z.infer<typeof FolderCount>;

/** The tool that shows where the files are. `now` is a monotonic clock in milliseconds. */
export function showTreeTool(root: string, now: () => number): Tool {
  return defineTool({
    name: 'show_tree',
    title: 'Show tree',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      path: z.string().default('.').describe('Folder to start in, e.g. "packages"'),
      depth: z.number().int().min(1).max(16).default(2).describe('Levels of folders to show, e.g. 3'),
      limit: z.number().int().min(1).max(500).default(100).describe('Most folders to show, the largest first, e.g. 50'),
    }),
    output: z.strictObject({
      folders: z.array(FolderCount).describe('In the order of names'),
      hidden: z.number().describe('Smaller folders of these levels that are not shown'),
      complete: z.boolean().describe('False if there are more files than were counted'),
    }),
    handler: async ({ path, depth, limit }, { signal }) => {
      const start = checkRelativePath(path);
      if ('failure' in start) return start;
      const counts = new FolderCounts(start.path, depth);
      const end = now() + countMs;
      let seen = 0;
      const walked = await walkFiles(root, start.path, { depth: deepest, ignore: true }, async (entry) => {
        seen += 1;
        if (seen % turnEntries === 0) await othersTurn();
        if (signal.aborted || now() > end) return false;
        counts.add(entry);
        return true;
      });
      if ('failure' in walked) return walked;
      const { folders, hidden } = counts.largest(limit);
      const lines = folders.map((folder) => showFolder(folder, start.path));
      if (hidden > 0) lines.push(`(${hidden} smaller folders: raise limit, or give a deeper path)`);
      if (!walked.complete) lines.push('(counting ended early: give a deeper path)');
      return { text: lines.join('\n'), structured: { folders, hidden, complete: walked.complete } };
    },
  });
}

/** What lies below each folder down to some level. */
class FolderCounts {
  readonly #start: string;
  readonly #depth: number;
  readonly #counts = new Map<string, FolderCount>();

  constructor(start: string, depth: number) {
    this.#start = start;
    this.#depth = depth;
    this.#counts.set(start, { path: start, files: 0, bytes: 0 });
  }

  add(entry: Entry): void {
    const bytes = entry.kind === 'file' ? bytesOf(entry) : 0;
    for (const path of this.#foldersOf(entry)) {
      const count = this.#counts.get(path) ?? { path, files: 0, bytes: 0 };
      const files = count.files + (entry.kind === 'file' ? 1 : 0);
      this.#counts.set(path, { path, files, bytes: count.bytes + bytes });
    }
  }

  largest(limit: number): { folders: FolderCount[]; hidden: number } {
    const all = [...this.#counts.values()];
    const shown = all.toSorted((first, second) => second.files - first.files).slice(0, limit);
    const kept = new Set(shown);
    return { folders: all.filter((count) => kept.has(count)), hidden: all.length - shown.length };
  }

  /** The folders shown that an entry lies in; a folder lies in itself. */
  #foldersOf({ path, kind }: Entry): string[] {
    const below = this.#start === '.' ? path : path.slice(this.#start.length + 1);
    const segments = below.split('/').slice(0, kind === 'folder' ? undefined : -1);
    const names = segments.slice(0, this.#depth).map((_, index) => segments.slice(0, index + 1).join('/'));
    return [this.#start, ...names.map((name) => (this.#start === '.' ? name : `${this.#start}/${name}`))];
  }
}

function showFolder({ path, files, bytes }: FolderCount, start: string): string {
  const level = path === start ? 0 : path.split('/').length - (start === '.' ? 0 : start.split('/').length);
  const name = path === start ? path : path.slice(path.lastIndexOf('/') + 1);
  return `${'  '.repeat(level)}${name}/ ${files} files, ${showBytes(bytes)}`;
}

function showBytes(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`;
}

function bytesOf(entry: Entry): number {
  try {
    return lstatSync(entry.folder.at(entry.name)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || isDenied(error)) return 0;
    throw error;
  }
}
