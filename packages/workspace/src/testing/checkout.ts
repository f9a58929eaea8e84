import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SessionWorkspace } from '../session-workspace.ts';

/** A checkout in a folder of its own for one test, made with the machine's git. */
export interface TestCheckout {
  readonly root: string;
  readonly base: string;
  /** What its sessions share. */
  readonly pool: string;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  git(...args: string[]): string;
  open(session?: string): Promise<SessionWorkspace>;
  remove(): void;
}

const searchPath = process.env.PATH ?? '/usr/bin:/bin';

/** Makes a checkout with these files committed; `commit: false` leaves a repository without commits. */
export function makeCheckout(
  files: Readonly<Record<string, string | Buffer>>,
  options = { commit: true },
): TestCheckout {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-checkout-')));
  const root = join(base, 'checkout');
  const pool = join(base, 'pool');
  mkdirSync(root);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: searchPath, HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '-q', '-b', 'main');
  for (const [path, content] of Object.entries(files)) write(path, content);
  if (options.commit) {
    git('add', '-A');
    git('commit', '-q', '--allow-empty', '-m', 'start');
  }
  return {
    root,
    base,
    pool,
    write,
    git,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    open: (session = 'session-1') =>
      SessionWorkspace.open({ repository: root, folder: join(base, session), searchPath, pool }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** One digest over every name, type, mode and byte below a folder, `.git` included: equal means untouched. */
export function treeDigest(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string, name: string) => {
    const found = lstatSync(path);
    hash.update(`${name}\0${found.mode}\0`);
    if (found.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (found.isFile()) hash.update(readFileSync(path));
    else if (found.isDirectory())
      for (const entry of readdirSync(path).sort()) visit(join(path, entry), `${name}/${entry}`);
  };
  visit(folder, '');
  return hash.digest('hex');
}
