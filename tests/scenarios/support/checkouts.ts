import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
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
import type { TestContext } from 'node:test';
import { installation } from './run-capstan.ts';

/** Folders of one scenario: a home for Capstan's data, and a checkout beside it; both go with the test. */
export interface Scenario {
  readonly base: string;
  readonly home: string;
  readonly checkout: string;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  git(...args: string[]): string;
}

/** A scenario on a copy of the example library. */
export function exampleScenario(t: Pick<TestContext, 'after'>): Scenario {
  return scenario(t, (checkout) => cpSync(join(installation, 'examples', 'room-book'), checkout, { recursive: true }));
}

/** A scenario on these files. */
export function filesScenario(t: Pick<TestContext, 'after'>, files: Readonly<Record<string, string>>): Scenario {
  return scenario(t, (checkout) => {
    for (const [path, content] of Object.entries(files)) put(join(checkout, path), content);
  });
}

function scenario(t: Pick<TestContext, 'after'>, fill: (checkout: string) => void): Scenario {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-scenario-')));
  const home = join(base, 'home');
  const checkout = join(base, 'checkout');
  t.after(() => {
    // A test may have made it read-only. Hooks run in their order: a test's own would come too late.
    if (existsSync(checkout)) chmodSync(checkout, 0o755);
    rmSync(base, { recursive: true, force: true });
  });
  mkdirSync(home);
  mkdirSync(checkout);
  fill(checkout);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: checkout,
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  return {
    base,
    home,
    checkout,
    git,
    write: (path, content) => put(join(checkout, path), content),
    read: (path) => readFileSync(join(checkout, path), 'utf8'),
  };
}

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** One digest over every name, type, mode and byte below a folder, `.git` included: equal means untouched. */
export function folderDigest(folder: string): string {
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
