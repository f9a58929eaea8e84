import { execFileSync } from 'node:child_process';

/** Files under version control, and new ones that are not ignored; relative to the root. */
export function committedFiles(root: string): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return execFileSync('git', ['-c', 'safe.directory=*', ...list], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
}
