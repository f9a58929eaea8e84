import { readdirSync, readFileSync } from 'node:fs';

/** A file of /proc, or undefined when its process is gone. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function listProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function childrenOf(pid: number): number[] {
  return listProc(`/proc/${pid}/task`).flatMap((thread) =>
    (readProc(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

/**
 * Processes below `pid`, parents before children, until there are more than `most`. Those in a sandbox stay below its
 * launcher whatever they do.
 */
export function descendantsOf(pid: number, most = Number.POSITIVE_INFINITY): number[] {
  const found = childrenOf(pid);
  for (let index = 0; index < found.length && found.length <= most; index += 1)
    found.push(...childrenOf(found[index] ?? 0));
  return found;
}

export interface TreeUse {
  /** Processes and threads. */
  readonly tasks: number;
  /** Resident memory that is not file pages. Pages shared by forks count for each. */
  readonly residentBytes: number;
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

/** What the processes below `pid` use now; stops counting above `most` processes, since more could come as fast. */
export function treeUse(pid: number, most: number): TreeUse {
  let tasks = 0;
  let kibibytes = 0;
  for (const descendant of descendantsOf(pid, most)) {
    const status = readProc(`/proc/${descendant}/status`);
    if (status === undefined) continue;
    tasks += Math.max(1, field(status, 'Threads'));
    kibibytes += field(status, 'RssAnon') + field(status, 'RssShmem');
  }
  return { tasks, residentBytes: kibibytes * 1024 };
}

/** Kills one process; false when it is gone already. */
export function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/**
 * Kills the children of a launcher. One of them is the first process of the sandbox, with which the kernel ends all
 * others there, however many and however fast they are.
 */
export function killChildren(pid: number): void {
  for (const child of childrenOf(pid)) killProcess(child);
}
