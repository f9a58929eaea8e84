import { readFileSync, readlinkSync } from 'node:fs';
import { hasCode } from './durable-file.ts';

/**
 * Names this process for leases: `pid:startTicks:scope`. The start time tells it from a later process with the same
 * pid; the scope (boot and pid namespace) from a process of another container, whose pid means nothing here. Where
 * there is no /proc the ticks are 0 and a lease is taken over only when it has expired.
 */
export function processHolder(): string {
  const ticks = startOf(process.pid)?.ticks ?? '0';
  return `${process.pid}:${ticks}:${scope()}`;
}

/**
 * `dead`: it was a process of this machine that provably no longer runs; a zombie counts as dead. `alive`: it provably
 * runs. `unknown`: it is of another container or machine, or not named by `processHolder`.
 */
export type HolderState = 'dead' | 'alive' | 'unknown';

export function holderState(holder: string): HolderState {
  const [, pid, ticks, place] = /^(\d+):(\d+)(?::([^:]*))?(?::.*)?$/.exec(holder) ?? [];
  if (pid === undefined || ticks === '0') return 'unknown';
  if (place !== undefined && place !== scope()) return 'unknown';
  // Without /proc, or with one that hides other users' processes, the kernel itself says whether the pid is in use.
  if (isGone(Number(pid))) return 'dead';
  const found = startOf(Number(pid));
  if (found === undefined) return 'unknown';
  return found.ticks !== ticks || found.state === 'Z' || found.state === 'X' ? 'dead' : 'alive';
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

/** Fields 3 and 22 of /proc/PID/stat; the name before them may hold spaces and brackets. */
function startOf(pid: number): { state: string; ticks: string } | undefined {
  const stat = readProc(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields?.[0], fields?.[19]];
  return state === undefined || ticks === undefined ? undefined : { state, ticks };
}

function scope(): string {
  const boot = readProc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 8));
  const namespace = readProc(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''));
  return `${boot ?? ''}-${namespace ?? ''}`;
}

function readProc(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    // A process may end while we look at it, and not every system has all of /proc.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
