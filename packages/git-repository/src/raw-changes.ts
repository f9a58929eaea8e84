/** One path of `git diff --raw -z`. Paths are Latin-1 text that holds the bytes as they are. */
export interface ChangedPath {
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed' | 'unmerged';
  readonly path: string;
  /** Of renames and copies. */
  readonly from?: string;
  /** True for a submodule. */
  readonly nested: boolean;
}

const changes: Readonly<Record<string, ChangedPath['change']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
  U: 'unmerged',
};

/** Options under which `git diff` writes what `readRawChanges` reads: each path by itself, and nothing that runs programs. */
export const rawDiffFlags =
  '--raw -z --no-renames --no-abbrev --no-ext-diff --no-textconv --ignore-submodules=all'.split(' ');

/** Reads what `git diff --raw -z` writes (pure). */
export function readRawChanges(output: Buffer): ChangedPath[] {
  const fields = output.toString('latin1').split('\0');
  const found: ChangedPath[] = [];
  let at = 0;
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', mode = '', , , status = ''] = (fields[at] ?? '').slice(1).split(' ');
    const letter = status.charAt(0);
    const two = letter === 'R' || letter === 'C';
    const path = fields[at + (two ? 2 : 1)] ?? '';
    const change = changes[letter] ?? 'modified';
    const nested = oldMode === '160000' || mode === '160000';
    found.push(two ? { change, path, from: fields[at + 1] ?? '', nested } : { change, path, nested });
    at += two ? 3 : 2;
  }
  return found;
}
