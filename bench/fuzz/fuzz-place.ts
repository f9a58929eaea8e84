import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FuzzPlace {
  /** Holds everything. */
  readonly base: string;
  /** The folder that servers work on: a repository with a few files, a secret, and a link that leads out. */
  readonly root: string;
  readonly states: string;
  /** What stands in the secret and outside. */
  readonly canary: string;
  remove(): void;
}

/** A folder that calls may do anything to. */
export function makeFuzzPlace(): FuzzPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-fuzz-')));
  const root = join(base, 'root');
  const canary = 'CANARY-5f1c09';
  for (const folder of ['root/src', 'root/test', 'states', 'outside'])
    mkdirSync(join(base, folder), { recursive: true });
  const files: Readonly<Record<string, string>> = {
    'outside.txt': canary,
    'outside/outside.txt': canary,
    'root/.env': `KEY=${canary}\n`,
    'root/README.md': '# Sums\n\nAdds numbers. 求和。\n',
    'root/package.json': '{"name":"sums","type":"module","scripts":{"test":"node --test"}}\n',
    'root/src/sum.mjs': 'export function sum(a, b) {\n  return a - b;\n}\n',
    'root/test/sum.test.mjs': "import { sum } from '../src/sum.mjs';\nif (sum(1, 2) !== 3) throw new Error('wrong');\n",
  };
  for (const [path, content] of Object.entries(files)) writeFileSync(join(base, path), content);
  symlinkSync(join(base, 'outside'), join(root, 'link'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main');
  git('add', 'README.md', 'package.json', 'src', 'test');
  git('commit', '-qm', 'Add sums');
  return {
    base,
    root,
    states: join(base, 'states'),
    canary,
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
