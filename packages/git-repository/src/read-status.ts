/** One row of `git status`. Paths are Latin-1 text that holds the bytes as they are. */
export interface StatusEntry {
  readonly path: string;
  readonly from?: string;
  readonly staged?: string;
  readonly unstaged?: string;
  /** True for a submodule, and for an untracked repository. */
  readonly nested?: boolean;
}

export interface Status {
  readonly branch?: string;
  readonly head?: string;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly entries: readonly StatusEntry[];
}

const words: Readonly<Record<string, string>> = {
  M: 'modified',
  T: 'type-changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
};

/** Reads what `git status --porcelain=v2 -z --branch` writes (pure). */
export function readStatus(output: Buffer): Status {
  const rows = output.toString('latin1').split('\0');
  const entries: StatusEntry[] = [];
  let head: Omit<Status, 'entries'> = {};
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? '';
    if (row.startsWith('# branch.')) head = { ...head, ...readHeader(row) };
    else if (row.startsWith('2 ')) {
      at += 1;
      entries.push({ ...readTracked(row, 9), from: rows[at] ?? '' });
    } else if (row.startsWith('1 ')) entries.push(readTracked(row, 8));
    else if (row.startsWith('u ')) entries.push({ path: afterFields(row, 10), unstaged: 'in conflict' });
    else if (row.startsWith('? ')) {
      const path = row.slice(2);
      // A folder that git does not look into is a repository of its own.
      entries.push({ path, unstaged: 'untracked', ...(path.endsWith('/') ? { nested: true } : {}) });
    }
  }
  return { ...head, entries };
}

function readHeader(row: string): Omit<Status, 'entries'> {
  const [, name = '', value = ''] = /^# branch\.(\S+) (.*)$/s.exec(row) ?? [];
  const text = Buffer.from(value, 'latin1').toString('utf8');
  if (name === 'oid') return text === '(initial)' ? {} : { head: text };
  if (name === 'head') return text === '(detached)' ? {} : { branch: text };
  if (name === 'upstream') return { upstream: text };
  const counts = /^\+(\d+) -(\d+)$/.exec(text);
  return counts === null ? {} : { ahead: Number(counts[1]), behind: Number(counts[2]) };
}

function readTracked(row: string, fields: number): StatusEntry {
  const staged = words[row.charAt(2)];
  const unstaged = words[row.charAt(3)];
  return {
    path: afterFields(row, fields),
    ...(staged === undefined ? {} : { staged }),
    ...(unstaged === undefined ? {} : { unstaged }),
    ...(row.charAt(5) === 'S' ? { nested: true } : {}),
  };
}

/** A path can hold spaces: it is what stands after so many fields. */
function afterFields(row: string, fields: number): string {
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = row.indexOf(' ', at) + 1;
  return row.slice(at);
}
