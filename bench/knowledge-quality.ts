// How well search_ranked finds the files that a change touched, from the words of its message, beside plain BM25 over paths and
// whole files (FTS5 with its own tokenizer). For each commit the files are those before it.
//   node bench/knowledge-quality.ts REPOSITORY [--count 150] [--skip 0]
// REPOSITORY is a clone of any public repository with its history; it is only read. Nothing of it is kept.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { KnowledgeIndex, rankFiles } from '@capstan/knowledge';

interface Case {
  readonly commit: string;
  readonly message: string;
  readonly files: readonly string[];
}

/** Changes of more files are moves and clean-ups. */
const mostFiles = 10;
const shortestMessage = 20;
const record = /(^|\/)(changelog|changes|history|news|releases?)(\.[a-z]+)?$|lock(\.json|\.yaml)?$|package\.json$/i;
const test = /(^|[/_.-])(tests?|specs?|__tests__|testing|fixtures?|testdata|mocks?|snapshots?)([/_.-]|$)/i;

async function measure(source: string, count: number, skip: number): Promise<void> {
  const tree = join(base, 'tree');
  execFileSync('git', ['clone', '-q', '--shared', '--no-checkout', source, tree]);
  const git = (...args: string[]) => {
    return execFileSync('git', ['-C', tree, '-c', 'advice.detachedHead=false', ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  };
  const cases = collectCases(git, count, skip);
  const clock = { now: () => Date.now(), steady: () => performance.now() };
  const plain = new PlainSearch(tree);
  const [ours, theirs] = [new Score(), new Score()];
  const times: number[] = [];
  for (const { commit, message, files } of cases) {
    // A clone may end in the middle of the history.
    if (!succeeds(() => git('checkout', '-q', '-f', '--detach', `${commit}^`))) continue;
    const paths = git('ls-files', '-z')
      .split('\0')
      .filter((path) => path !== '');
    plain.update(paths);
    const index = new KnowledgeIndex({ root: tree, stateFolder: join(base, 'state'), clock });
    await index.use({ firstMs: 600_000, againMs: 600_000 }, async (open) => {
      const begin = performance.now();
      const { hits } = await rankFiles(open, message, () => true);
      times.push(performance.now() - begin);
      ours.add(
        hits.map((hit) => hit.path),
        files,
      );
    });
    await index.close();
    theirs.add(plain.rank(message), files);
  }
  times.sort((first, second) => first - second);
  console.log(`${times.length} changes; median query ${times[times.length >> 1]?.toFixed(1)} ms`);
  console.log(`search_ranked  ${ours.show()}`);
  console.log(`plain BM25     ${theirs.show()}`);
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Commits whose message says something and that change existing files other than tests and records of changes. */
function collectCases(git: (...args: string[]) => string, count: number, skip: number): Case[] {
  const log = git(
    'log',
    '--no-merges',
    '--diff-filter=M',
    '--name-only',
    '-z',
    '--format=%x01%H%x02%B%x03',
    '-n',
    String((count + skip) * 12),
  );
  const cases = log
    .split('\x01')
    .slice(1)
    .flatMap((entry): Case[] => {
      const [commit = '', rest = ''] = entry.split('\x02');
      const [body = '', names = ''] = rest.split('\x03');
      const changed = names
        .split('\0')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      const files = changed.filter((path) => !record.test(path) && !test.test(path));
      const message = messageOf(body);
      const usable = files.length > 0 && changed.length <= mostFiles && message.length >= shortestMessage;
      return usable ? [{ commit, message, files }] : [];
    });
  return cases.slice(skip, skip + count);
}

/** Without trailers and numbers of issues; automatic version changes are no description. */
function messageOf(body: string): string {
  if (/^(bump|release|merge|revert|chore\(deps|build\(deps|version)/i.test(body)) return '';
  return body
    .split('\n')
    .filter((line) => !/^[\w-]+: .*@|^Co-authored|^Signed-off/i.test(line))
    .join('\n')
    .replaceAll(/\(?#\d+\)?/g, '')
    .trim();
}

/** FTS5 as it comes: one document per file, path and text, all words of the question joined by OR. */
class PlainSearch {
  readonly #tree: string;
  readonly #database = new DatabaseSync(':memory:');
  readonly #known = new Map<string, string>();

  constructor(tree: string) {
    this.#tree = tree;
    this.#database.exec('CREATE VIRTUAL TABLE plain USING fts5(path, body)');
  }

  update(paths: readonly string[]): void {
    const wanted = new Set(paths);
    for (const path of this.#known.keys()) if (!wanted.has(path)) this.#remove(path);
    for (const path of paths) {
      const text = this.#read(path);
      if (text === this.#known.get(path)) continue;
      this.#remove(path);
      if (text === undefined) continue;
      this.#known.set(path, text);
      this.#database.prepare('INSERT INTO plain (path, body) VALUES (?, ?)').run(path, text);
    }
  }

  rank(question: string): string[] {
    const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, 200);
    const expression = words.map((word) => `"${word}"`).join(' OR ');
    const rows = this.#database
      .prepare('SELECT path FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT 20')
      .all(expression);
    return rows.map((row) => String(row.path));
  }

  #remove(path: string): void {
    if (this.#known.delete(path))
      this.#database.prepare('DELETE FROM plain WHERE rowid IN (SELECT rowid FROM plain WHERE path = ?)').run(path);
  }

  #read(path: string): string | undefined {
    try {
      const bytes = readFileSync(join(this.#tree, path));
      return bytes.includes(0) || bytes.length > 2 * 1024 * 1024 ? undefined : bytes.toString('utf8');
    } catch {
      return undefined;
    }
  }
}

/** Whether one of the changed files is among the first 1, 3 and 5. */
class Score {
  #cases = 0;
  readonly #found = new Map([1, 3, 5].map((top) => [top, 0]));

  add(ranked: readonly string[], files: readonly string[]): void {
    this.#cases += 1;
    for (const [top, found] of this.#found) {
      if (ranked.slice(0, top).some((path) => files.includes(path))) this.#found.set(top, found + 1);
    }
  }

  show(): string {
    const shares = [...this.#found].map(([top, found]) => `top-${top} ${((100 * found) / this.#cases).toFixed(0)} %`);
    return shares.join('  ');
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '150' }, skip: { type: 'string', default: '0' } },
});
const [repository] = positionals;
if (repository === undefined) {
  console.error('Use: node bench/knowledge-quality.ts REPOSITORY [--count N] [--skip N]');
  process.exit(2);
}
const base = mkdtempSync(join(tmpdir(), 'knowledge-quality-'));
try {
  await measure(repository, Number(values.count), Number(values.skip));
} finally {
  rmSync(base, { recursive: true, force: true });
}
