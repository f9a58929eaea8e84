import { type GitOptions, type GitResult, runGit } from '@capstan/workspace';
import { type FailureFacts, nulByte } from './explain-failure.ts';
import type { KeptSettings } from './kept-settings.ts';
import type { RepositoryPlace } from './locate-repository.ts';

export interface RunOptions extends Pick<GitOptions, 'input' | 'takeOutput' | 'longestMilliseconds'> {
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
  readonly environment?: GitOptions['environment'];
  /** Another index than the one of the repository. */
  readonly indexFile?: string;
}

/** Somebody's repository, in which git runs without obeying it. */
export interface Repository extends RepositoryPlace, FailureFacts {
  readonly settings: KeptSettings;
  readonly indexFile: string;
  readonly searchPath: string;
  /** The same repository in another of its worktrees. */
  inWorktree(gitFolder: string, root: string): Repository;
  /** Runs git in it; every exit code is an answer. Throws when git cannot be started, or the disk fails. */
  run(args: readonly string[], options?: RunOptions): Promise<GitResult>;
}

export interface RunnerRequest {
  readonly place: RepositoryPlace;
  readonly folder: string;
  readonly indexFile: string;
  readonly settings: KeptSettings;
  readonly searchPath: string;
  readonly signal: AbortSignal | undefined;
}

/** What one run of git may take. */
const longestMilliseconds = 60_000;

/** Settings that were kept and must win over those that `runGit` has for its own repositories. */
const passedOn = ['core.autocrlf', 'core.symlinks'];

/**
 * The one place that says how git is run on somebody's repository. `GIT_COMMON_DIR` is a folder of ours, in which refs and
 * objects are those of the repository, and configuration, attributes and hooks are ours: git never loads its
 * configuration, so that no program that it names can be run, by whatever option, driver, filter or hook.
 */
export function gitRunner(request: RunnerRequest): Repository['run'] {
  const { place, folder, settings, searchPath, signal } = request;
  const kept = settings.kept.filter(({ key }) => passedOn.includes(key)).map(({ key, value }) => `${key}=${value}`);
  return async (args, { settings: more = [], environment, indexFile = request.indexFile, ...options } = {}) => {
    // No process can be given one; the sentence is one of those that are explained.
    if (args.some((arg) => arg.includes('\0'))) return { exitCode: 129, stdout: Buffer.alloc(0), stderr: nulByte };
    return runGit(args, {
      gitFolder: place.gitFolder,
      workTree: place.root,
      indexFile,
      searchPath,
      ...(signal === undefined ? {} : { signal }),
      longestMilliseconds,
      accept: 'any',
      settings: [...kept, ...fixed, ...more],
      environment: {
        HOME: folder,
        GIT_COMMON_DIR: folder,
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_EDITOR: 'false',
        GIT_PAGER: 'cat',
        GIT_ASKPASS: 'false',
        GIT_SSH_COMMAND: 'false',
        ...environment,
      },
      ...options,
    });
  };
}

const fixed = [
  'submodule.recurse=false',
  'core.untrackedCache=keep',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'rebase.autoStash=false',
  'diff.renameLimit=1000',
  'merge.renameLimit=1000',
  'advice.detachedHead=false',
];
