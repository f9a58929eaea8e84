import { lstat } from 'node:fs/promises';
import { CapstanError } from '@capstan/contracts';
import type { Repository } from '../git/find-repository.ts';
import type { PrivateGit } from '../git/private-git.ts';

/** What a folder without git may hold: beyond this it is rather a mistake than a project. */
export const plainFolderLimits = { files: 50_000, bytes: 2 * 1024 ** 3, milliseconds: 60_000 };

const endedByLimit = 128;

/** Refuses a folder without git that is too large to be meant, before anything is copied. Throws `folder-too-large`. */
export async function checkPlainFolder(
  git: PrivateGit,
  { root }: Repository,
  limits: typeof plainFolderLimits = plainFolderLimits,
): Promise<void> {
  const flags = ['ls-files', '-z', '--others', '--exclude-standard'];
  const more = { longestMilliseconds: limits.milliseconds, accept: [0, endedByLimit] };
  const listed = await git.run(flags, root, 'index.plain', more);
  if (listed.exitCode === endedByLimit) throw tooLarge(root, 'so much that it cannot be listed in time', limits);
  const paths = listed.stdout.toString('latin1').split('\0').slice(0, -1);
  if (paths.length > limits.files) throw tooLarge(root, `${paths.length} files`, limits);
  let bytes = 0;
  for (const path of paths) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
    bytes += (await lstat(at).catch(() => undefined))?.size ?? 0;
    if (bytes > limits.bytes) throw tooLarge(root, `more than ${megabytes(limits.bytes)}`, limits);
  }
}

function tooLarge(root: string, found: string, { files, bytes }: typeof plainFolderLimits): CapstanError {
  return new CapstanError(
    'folder-too-large',
    `${root} holds ${found}, and is no git checkout: is it the one you mean?`,
    {
      hint: `Give a folder with at most ${files} files and ${megabytes(bytes)}, list what is not yours in a .gitignore file, or run \`git init\` there.`,
    },
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`;
}
