/** A row of `git ls-files --stage`. Paths are Latin-1 text that holds the bytes as they are: names need not be UTF-8. */
export interface IndexEntry {
  readonly mode: string;
  readonly blob: string;
}

/** Mode of an entry that is a repository of its own. */
export const nestedMode = '160000';

/** Mode of a folder that a sparse index does not spell out. */
export const folderMode = '040000';

/** The entries of a listing by path, each once: unmerged paths are listed up to three times. */
export function readIndexListing(listing: Buffer): Map<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  const rows = listing.toString('latin1').split('\0');
  for (const row of rows) {
    const tab = row.indexOf('\t');
    if (tab <= 0) continue;
    const [mode = '', blob = ''] = row.slice(0, tab).split(' ');
    entries.set(row.slice(tab + 1), { mode, blob });
  }
  return entries;
}

/** Paths as git reads them from standard input with `-z`. */
export function pathList(paths: Iterable<string>): Buffer {
  return Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');
}

/** A path for people: what is no UTF-8 is shown with replacement characters. */
export function readablePath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}
