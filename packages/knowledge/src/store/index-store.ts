import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { FileStamp } from '@capstan/workspace';
import type { OutlineSymbol } from '../outline/outline-symbol.ts';

/** What became of a file's content. */
export type ContentKind = 'text' | 'binary' | 'too-large' | 'unreadable';

/** A file as the index keeps it. */
export interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly stamp: FileStamp;
  readonly sha256: string;
  readonly content: ContentKind;
}

/** A file that was read, ready for the index. */
export interface IndexedFile extends Omit<FileRow, 'id'> {
  readonly symbols: readonly OutlineSymbol[];
  /** Hashes of the words in it that can be names. */
  readonly mentions: Int32Array;
  /** Index terms of path, names of symbols and content, with spaces between. */
  readonly words: { readonly path: string; readonly symbols: string; readonly body: string };
}

/** A file that holds words of a query; a higher score is better. */
export interface Hit {
  readonly path: string;
  readonly score: number;
}

/** Columns of `words`: a word in a path or in the name of a symbol says more than one in the content. */
const columnWeights = '5.0, 3.0, 1.0';

/** The rows of one index. All is synchronous; writes are transactions, so that a process can be killed at any moment. */
export class IndexStore {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  files(): Map<string, FileRow> {
    const rows = this.#all('SELECT id, path, size, changed_at, inode, sha256, content FROM file');
    return new Map(rows.map((row) => [String(row.path), fileRow(row)]));
  }

  count(content?: ContentKind): number {
    if (content === undefined) return Number(this.#all('SELECT count(*) AS count FROM file')[0]?.count);
    return Number(this.#all('SELECT count(*) AS count FROM file WHERE content = ?', content)[0]?.count);
  }

  /** Puts files in, in place of what is known of their paths; one transaction. */
  put(files: readonly IndexedFile[]): void {
    this.write(() => {
      for (const file of files) this.#putOne(file);
    });
  }

  /** Files whose content is what it was, at another time. */
  touch(files: readonly { readonly id: number; readonly stamp: FileStamp }[]): void {
    this.write(() => {
      for (const { id, stamp } of files) {
        this.#run(
          'UPDATE file SET size = ?, changed_at = ?, inode = ? WHERE id = ?',
          ...[stamp.size, stamp.changedAt, stamp.inode, id],
        );
      }
    });
  }

  remove(paths: readonly string[]): void {
    this.write(() => {
      for (const path of paths) this.#removeOne(path);
    });
  }

  /** The files that match an FTS5 expression and that `fits` takes, best first, at most `limit`. */
  search(expression: string, limit: number, fits: (path: string) => boolean): Hit[] {
    const rows = this.#prepare(
      `SELECT rowid AS id, bm25(words, ${columnWeights}) AS score FROM words WHERE words MATCH ? ORDER BY score, rowid`,
    ).iterate(expression);
    const hits: Hit[] = [];
    for (const { id = null, score } of rows) {
      const path = String(this.#all('SELECT path FROM file WHERE id = ?', id)[0]?.path);
      if (fits(path)) hits.push({ path, score: -Number(score) });
      if (hits.length >= limit) break;
    }
    return hits;
  }

  /**
   * Files with a part of a text in their path or in the name of a symbol, whatever the letters' case in ASCII. It goes
   * through all rows: a trigram table would be quicker and costs a quarter of the time of indexing.
   */
  searchNames(part: string): string[] {
    const like = `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const rows = this.#all(
      "SELECT path FROM file WHERE path LIKE ?1 ESCAPE '\\' OR symbols LIKE ?1 ESCAPE '\\' ORDER BY path NOT LIKE ?1 ESCAPE '\\', length(path), path",
      like,
    );
    return rows.map((row) => String(row.path));
  }

  /** In how many files a term stands. */
  spread(term: string): number {
    return Number(this.#all('SELECT doc FROM vocabulary WHERE term = ?', term)[0]?.doc ?? 0);
  }

  symbolsOf(path: string): OutlineSymbol[] {
    const stored = this.#all('SELECT symbols FROM file WHERE path = ?', path)[0]?.symbols;
    return typeof stored === 'string' ? readSymbols(stored) : [];
  }

  /** Visits what each text file declares and mentions, in the order of paths. */
  eachReference(visit: (path: string, symbols: OutlineSymbol[], mentions: Int32Array) => void): void {
    const sql = "SELECT path, symbols, mentions FROM file WHERE content = 'text' ORDER BY path";
    for (const row of this.#prepare(sql).iterate()) {
      visit(String(row.path), readSymbols(String(row.symbols)), readMentions(row.mentions));
    }
  }

  /** A number that changes with every write to the index by any process. */
  generation(): string {
    return this.note('generation') ?? '0';
  }

  note(key: string): string | undefined {
    const value = this.#all('SELECT value FROM note WHERE key = ?', key)[0]?.value;
    return typeof value === 'string' ? value : undefined;
  }

  /** All or nothing, and alone among all processes. */
  write(work: () => void): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#run(
        "INSERT INTO note VALUES ('generation', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
      );
      this.#connection.exec('COMMIT');
    } catch (error) {
      // Some failures (a full disk) have rolled back already.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #putOne(file: IndexedFile): void {
    this.#removeOne(file.path);
    const { stamp } = file;
    const { lastInsertRowid: id } = this.#prepare(
      'INSERT INTO file (path, size, changed_at, inode, sha256, content, symbols, mentions) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(
      file.path,
      ...[stamp.size, stamp.changedAt, stamp.inode],
      ...[Buffer.from(file.sha256, 'hex'), file.content, writeSymbols(file.symbols)],
      new Uint8Array(file.mentions.buffer, file.mentions.byteOffset, file.mentions.byteLength),
    );
    const { path, symbols, body } = file.words;
    this.#run('INSERT INTO words (rowid, path, symbols, body) VALUES (?, ?, ?, ?)', id, path, symbols, body);
  }

  #removeOne(path: string): void {
    const id = this.#all('SELECT id FROM file WHERE path = ?', path)[0]?.id;
    if (id === undefined || id === null) return;
    this.#run('DELETE FROM words WHERE rowid = ?', id);
    this.#run('DELETE FROM file WHERE id = ?', id);
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#prepare(sql).all(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** A text as one FTS5 string: nothing in it is syntax. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function fileRow(row: Record<string, unknown>): FileRow {
  return {
    id: Number(row.id),
    path: String(row.path),
    stamp: { size: Number(row.size), changedAt: Number(row.changed_at), inode: Number(row.inode) },
    sha256: row.sha256 instanceof Uint8Array ? Buffer.from(row.sha256).toString('hex') : '',
    content: row.content as ContentKind,
  };
}

/** One symbol a line: line, depth, kind and name. A quarter of the size and time of JSON. */
function writeSymbols(symbols: readonly OutlineSymbol[]): string {
  return symbols.map(({ line, depth, kind, name }) => `${line} ${depth} ${kind} ${name}`).join('\n');
}

function readSymbols(stored: string): OutlineSymbol[] {
  if (stored === '') return [];
  return stored.split('\n').map((entry) => {
    const [line = '1', depth = '0', kind = 'symbol', ...name] = entry.split(' ');
    return { line: Number(line), depth: Number(depth), kind, name: name.join(' ') };
  });
}

/** A copy: SQLite's buffer need not lie at a multiple of four. */
function readMentions(stored: unknown): Int32Array {
  if (!(stored instanceof Uint8Array)) return new Int32Array();
  return new Int32Array(new Uint8Array(stored).buffer, 0, Math.floor(stored.byteLength / 4));
}
