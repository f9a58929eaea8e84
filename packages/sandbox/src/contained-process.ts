import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { SandboxCommand, SandboxLimits } from '@capstan/contracts';
import { BoundedOutput } from './bounded-output.ts';
import { descriptors } from './bubblewrap.ts';
import type { ControlGroup } from './control-group.ts';
import type { ReportingLaunch } from './launch.ts';
import { killBelow, killProcess, treeUse } from './process-tree.ts';

/** Why the host ended a process tree. */
export type Stop = 'timed-out' | 'cancelled' | 'memory' | 'processes';

export interface ContainedEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly dropped: number;
  /** Whether everything was set up and the command was reached. */
  readonly started: boolean;
  readonly stop: Stop | undefined;
  readonly error: string | undefined;
}

const pollMilliseconds = 100;
/** After the first process of a sandbox ends, the kernel has ended the rest; what is still in the pipes comes at once. */
const drainMilliseconds = 1000;

function open(launch: ReportingLaunch): ChildProcess {
  const nothing = openSync('/dev/null', 'r');
  try {
    const unused = Array.from({ length: descriptors.empty - descriptors.files }, () => 'ignore' as const);
    const empty = Array.from({ length: launch.emptyFiles }, () => nothing);
    return spawn(launch.command, launch.args, {
      stdio: ['pipe', 'pipe', 'pipe', launch.filter === undefined ? 'ignore' : 'pipe', 'pipe', ...unused, ...empty],
      env: launch.environment,
      cwd: '/',
      detached: true,
    });
  } finally {
    closeSync(nothing);
  }
}

/** Writes all and closes. A reader that has gone is no failure of ours. */
function feed(stream: Writable | undefined, bytes: Uint8Array | undefined): void {
  stream?.on('error', () => stream.destroy());
  stream?.end(bytes);
}

/** Kills a tree when its use is over the limits: for systems on which control groups cannot be had. */
function watch(pid: number, limits: SandboxLimits, stop: (why: Stop) => void): NodeJS.Timeout {
  return setInterval(() => {
    const use = treeUse(pid);
    if (use.residentBytes > limits.memoryBytes) stop('memory');
    else if (use.tasks > limits.processes + launcherTasks) stop('processes');
  }, pollMilliseconds);
}

/** The first process of the sandbox and its shell are counted with the command's own. */
const launcherTasks = 3;

/** Starts a planned launch and waits for its end: by itself, by its limits or by the caller's signal. */
export function runContained(
  launch: ReportingLaunch,
  command: SandboxCommand,
  group: ControlGroup | undefined,
): Promise<ContainedEnd> {
  const { limits } = command.profile;
  const stdout = new BoundedOutput(limits.outputBytes);
  const stderr = new BoundedOutput(limits.outputBytes);
  const child = open(launch);
  let started = false;
  let stopped: Stop | undefined;
  const stop = (why: Stop): void => {
    stopped ??= why;
    if (child.pid !== undefined) killBelow(child.pid);
    setTimeout(() => child.exitCode === null && child.pid !== undefined && killProcess(child.pid), 500).unref();
  };
  const collect = (name: 'stdout' | 'stderr', output: BoundedOutput): void => {
    child[name]?.on('data', (chunk: Buffer) => {
      output.add(chunk);
      command.onOutput?.(name, chunk);
    });
  };
  collect('stdout', stdout);
  collect('stderr', stderr);
  feed(child.stdin ?? undefined, command.input);
  const extra = child.stdio as readonly (Readable | Writable | null | undefined)[];
  if (launch.filter !== undefined) feed(extra[descriptors.filter] as Writable, launch.filter);
  const status = extra[descriptors.status] as Readable | undefined;
  status?.on('data', () => {
    started = true;
  });

  const timer = setTimeout(() => stop('timed-out'), limits.milliseconds);
  const poll = group === undefined && child.pid !== undefined ? watch(child.pid, limits, stop) : undefined;
  const cancel = (): void => stop('cancelled');
  command.signal?.addEventListener('abort', cancel, { once: true });

  return new Promise((resolve) => {
    const finish = (exitCode: number | null, signal: string | null, error?: string): void => {
      clearTimeout(timer);
      clearInterval(poll);
      command.signal?.removeEventListener('abort', cancel);
      for (const stream of child.stdio) stream?.destroy();
      const dropped = stdout.dropped + stderr.dropped;
      const output = { stdout: stdout.bytes, stderr: stderr.bytes, dropped };
      resolve({ exitCode, signal, ...output, started, stop: stopped, error });
    };
    child.on('error', (cause) => finish(null, null, cause.message));
    child.on('exit', (exitCode, signal) => {
      clearTimeout(timer);
      const drain = setTimeout(() => finish(exitCode, signal), drainMilliseconds);
      child.on('close', () => {
        clearTimeout(drain);
        finish(exitCode, signal);
      });
    });
  });
}
