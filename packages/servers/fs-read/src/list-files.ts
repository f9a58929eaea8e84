import { defineTool, type Tool } from '@capstan/tool-server';
import { checkRelativePath, compileGlob, refuse, walkFiles } from '@capstan/workspace';
import { z } from 'zod';

/** Deepest level of a listing. */
const deepest = 32;
/** Without a glob, a folder below the first shows at most this share of the entries wanted: none hides all others. */
const folderShare = 1 / 4;

const description = `Lists files and folders (with a slash at the end) by name, as a tree with bounds. Use it to see how a project is laid out or to find files. \
Leaves out .git, secrets and what .gitignore files say; links are not followed. \
For words inside files use search_text; for contents read_files.`;

const ListedEntry = z.strictObject({ path: z.string(), kind: z.enum(['file', 'folder', 'link', 'other']) });
type ListedEntry = z.infer<typeof ListedEntry>;

/** The tool that lists names. */
export function listFilesTool(root: string): Tool {
  return defineTool({
    name: 'list_files',
    title: 'List files',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      path: z.string().default('.').describe('Folder to start in, e.g. "packages/core"'),
      glob: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .describe('Only files that match, e.g. "**/*.test.ts" or "*.{js,mjs}"'),
      depth: z
        .number()
        .int()
        .min(1)
        .max(deepest)
        .optional()
        .describe('Levels below the folder, e.g. 1; 3 unless a glob is given'),
      limit: z.number().int().min(1).max(1000).default(200).describe('Most entries to show, e.g. 500'),
      ignored: z.boolean().default(false).describe('Also what .gitignore leaves out, e.g. true to look into dist'),
      cursor: z.string().max(4100).optional().describe('Go on where a listing ended, e.g. "src/b.ts"'),
    }),
    output: z.strictObject({
      entries: z.array(ListedEntry),
      shortened: z.array(z.strictObject({ path: z.string(), more: z.number() })).describe('Folders not shown whole'),
      complete: z.boolean().describe('False if there are more entries after these'),
      nextCursor: z.string().optional(),
    }),
    handler: async ({ path, glob, depth, limit, ignored, cursor }, { signal }) => {
      const start = checkRelativePath(path);
      if ('failure' in start) return start;
      const from = cursor === undefined ? undefined : checkRelativePath(cursor);
      if (from !== undefined && ('failure' in from || !isBelow(from.path, start.path)))
        return noSuchCursor(cursor ?? '');
      const matches = glob === undefined ? undefined : compileGlob(glob);
      const listing = new Listing(
        start.path,
        limit,
        matches === undefined ? limit * folderShare : Number.POSITIVE_INFINITY,
      );
      const options = { depth: depth ?? (matches === undefined ? 3 : deepest), ignore: !ignored };
      const walked = await walkFiles(
        root,
        start.path,
        { ...options, ...(from && { from: from.path }) },
        async (entry) => {
          if (signal.aborted) return false;
          if (matches !== undefined && (entry.kind === 'folder' || !matches(entry.path))) return true;
          return listing.add({ path: entry.path, kind: entry.kind });
        },
      );
      if ('failure' in walked) return walked;
      const { entries, next } = listing;
      const text = entries.length === 0 ? noEntries(glob) : listing.show();
      const nextCursor = next === undefined ? {} : { nextCursor: next };
      return {
        text,
        structured: { entries, shortened: listing.shortened(), complete: walked.complete, ...nextCursor },
      };
    },
  });
}

/** Collects the entries of one listing within its bounds. */
class Listing {
  readonly entries: ListedEntry[] = [];
  /** The first entry for which there was no room. */
  next: string | undefined;
  readonly #start: string;
  readonly #limit: number;
  readonly #share: number;
  readonly #counts = new Map<string, number>();

  constructor(start: string, limit: number, share: number) {
    this.#start = start;
    this.#limit = limit;
    this.#share = Math.max(1, share);
  }

  /** How the walk goes on. */
  add(entry: ListedEntry): boolean | 'shallow' {
    const folder = folderOf(entry.path);
    const count = (this.#counts.get(folder) ?? 0) + 1;
    if (folder !== this.#start && count > this.#share) {
      this.#counts.set(folder, count);
      return 'shallow';
    }
    if (this.entries.length >= this.#limit) {
      this.next = entry.path;
      return false;
    }
    this.#counts.set(folder, count);
    this.entries.push(entry);
    return true;
  }

  shortened(): { path: string; more: number }[] {
    return [...this.#counts].flatMap(([path, count]) => {
      const more = path === this.#start ? 0 : Math.ceil(count - Math.floor(this.#share));
      return more > 0 ? [{ path, more }] : [];
    });
  }

  show(): string {
    const lines = this.entries.map(showEntry);
    lines.push(...this.shortened().map(({ path, more }) => `(${more} more in ${path}/: give it as path to see them)`));
    if (this.next !== undefined) {
      lines.push(`(more than ${this.#limit} entries: give a deeper path or a glob, or go on with cursor ${this.next})`);
    }
    return lines.join('\n');
  }
}

function showEntry({ path, kind }: ListedEntry): string {
  return `${path}${kind === 'folder' ? '/' : kind === 'link' ? '@' : ''}`;
}

function noEntries(glob: string | undefined): string {
  return glob === undefined ? '(empty)' : `(no file matches ${glob})`;
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end === -1 ? '.' : path.slice(0, end);
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path.startsWith(`${folder}/`);
}

function noSuchCursor(cursor: string) {
  return refuse(
    'bad-argument',
    `There is no place ${JSON.stringify(cursor.slice(0, 200))} in this listing.`,
    'Give the cursor of the last reply, with the same path; leave it out to begin anew.',
  );
}
