import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { CapstanError } from '@capstan/contracts';

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitOptions {
  /** A git folder of ours: the repository's own configuration, hooks and index are never loaded. */
  readonly gitFolder: string;
  readonly workTree: string;
  readonly indexFile: string;
  readonly searchPath: string;
  readonly input?: string | Buffer;
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
  /** Ends git, and what it started, at once. */
  readonly signal?: AbortSignal;
  /** Told each piece of standard output as it comes. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  /** Lets everything else on the machine go first. */
  readonly background?: boolean;
  readonly longestMilliseconds?: number;
  /** Exit codes that are an answer and not a failure. */
  readonly accept?: readonly number[] | 'any';
  /** Variables beside or instead of ours; undefined takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Gets standard output in place of the result; git is ended when it gives false: enough was read. */
  readonly takeOutput?: (chunk: Buffer) => boolean;
}

/**
 * Settings that hold for every call. With a private git folder and no user or system configuration nothing that a
 * repository brings can name a program to run; these close what a later version of git might add.
 */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.quotePath=false',
  'core.symlinks=true',
  'core.pager=cat',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.addEmbeddedRepo=false',
  'protocol.allow=never',
  'diff.external=',
  // Larger files are streamed, and compared as binary ones.
  'core.bigFileThreshold=16m',
];

/** Longer than the largest repository that was tried takes; a git that waits for a pipe that nobody writes ends by it. */
const longest = 5 * 60_000;

/**
 * The program that starts git. With setpriv (util-linux) git dies with this process, so that a killed run leaves no git
 * behind that still writes.
 */
function launcher(searchPath: string): readonly string[] {
  const folders = process.platform === 'linux' ? searchPath.split(':') : [];
  const setpriv = folders.map((folder) => join(folder, 'setpriv')).find((path) => existsSync(path));
  return setpriv === undefined ? ['git'] : [setpriv, '--pdeathsig', 'KILL', '--', 'git'];
}

/**
 * Runs git with a private git folder, a cleared environment and no terminal. Throws `storage-failed`, `no-toolchain`, or
 * the reason of a signal that was aborted.
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  options.signal?.throwIfAborted();
  const all = [...settings, ...(options.settings ?? [])];
  const result = await start([...all.flatMap((setting) => ['-c', setting]), ...args], options);
  options.signal?.throwIfAborted();
  const accepted = options.accept ?? [0];
  // An exit code that is an answer elsewhere is none when the disk fails: half of the work would be taken for all of it.
  const fault = result.exitCode === 0 ? undefined : systemFault(result.stderr, options.gitFolder);
  const isAnswer = accepted === 'any' || accepted.includes(result.exitCode);
  if (isAnswer && fault === undefined) return result;
  throw new CapstanError('storage-failed', `git ${args[0]} failed: ${firstLines(result.stderr)}`, {
    hint: 'Look at the folder with your own git first; run `capstan doctor` if it is fine there.',
    ...(fault === undefined
      ? {}
      : { cause: Object.assign(new Error(fault.words), { code: fault.code, path: options.gitFolder }) }),
  });
}

/** What git says in the words of the system when it could not write, by the code that the system calls it. */
const systemFaults: readonly { readonly code: string; readonly words: string }[] = [
  { code: 'ENOSPC', words: 'No space left on device' },
  { code: 'ENOSPC', words: 'Out of diskspace' },
  { code: 'EDQUOT', words: 'Disk quota exceeded' },
  { code: 'EMFILE', words: 'Too many open files' },
  { code: 'EROFS', words: 'Read-only file system' },
  { code: 'EIO', words: 'Input/output error' },
];

function systemFault(stderr: string, folder: string): { readonly code: string; readonly words: string } | undefined {
  const said = systemFaults.find(({ words }) => stderr.includes(words));
  // Of files that it writes out, git does not say why it could not.
  const silent = stderr.includes('unable to write file') && isFull(folder);
  return said ?? (silent ? systemFaults[0] : undefined);
}

/** Git itself cannot work with less. Bytes. */
const least = 64 * 1024;

function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < least;
}

function start(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const [command = 'git', ...before] = launcher(options.searchPath);
    const child = spawn(command, [...before, ...args], {
      cwd: options.workTree,
      env: {
        PATH: options.searchPath,
        HOME: options.gitFolder,
        LC_ALL: 'C',
        GIT_DIR: options.gitFolder,
        GIT_WORK_TREE: options.workTree,
        GIT_INDEX_FILE: options.indexFile,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        ...options.environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C in a terminal goes to the whole group: this process decides what ends when.
      detached: true,
    });
    const { kill, ended } = endWith(child, options);
    if (options.background) letOthersGoFirst(child);
    // First of all: a process that could not be started has no streams.
    child.on('error', (cause) => {
      ended();
      reject(notStarted(cause, options.workTree));
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => {
      if (options.takeOutput === undefined) stdout.push(chunk);
      else if (!options.takeOutput(chunk)) kill();
      options.onOutput?.(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('close', (code, signal) => {
      ended();
      resolve({
        exitCode: code ?? 128,
        stdout: Buffer.concat(stdout),
        stderr: signal === null ? Buffer.concat(stderr).toString('utf8') : `ended by ${signal}`,
      });
    });
    // Git may close its input early (an error, an empty list): that is its answer, not a failure of ours.
    child.stdin?.on('error', () => child.stdin.destroy());
    child.stdin?.end(options.input ?? '');
  });
}

/** Kills the child's whole group when the signal is aborted or the time is over; the answer ends the watch. */
function endWith(
  child: ChildProcess,
  { signal, longestMilliseconds = longest }: GitOptions,
): { readonly kill: () => void; readonly ended: () => void } {
  const kill = () => {
    try {
      // Detached: the child leads a group of its own, in which its helpers are.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL'); // No such group any more.
    }
  };
  const timer = setTimeout(kill, longestMilliseconds);
  signal?.addEventListener('abort', kill, { once: true });
  const ended = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  };
  return { kill, ended };
}

function letOthersGoFirst({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}

function notStarted(cause: NodeJS.ErrnoException, workTree: string): CapstanError {
  if (cause.code === 'ENOENT' && !existsSync(workTree)) {
    return new CapstanError('workspace-lost', `The folder ${workTree} is gone.`, { hint: 'Start a new run.', cause });
  }
  return new CapstanError('no-toolchain', `git could not be started (${cause.code ?? cause.message})`, {
    hint: 'Install git and put it on the PATH.',
    cause,
  });
}

function firstLines(text: string): string {
  return text.trim().split('\n').slice(0, 3).join(' | ') || 'no message';
}
