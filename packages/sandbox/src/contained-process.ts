import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { SandboxCommand } from '@capstan/contracts';
import { BoundedOutput } from './bounded-output.ts';
import { descriptors } from './bubblewrap.ts';
import type { ControlGroup } from './control-group.ts';
import type { ReportingLaunch } from './launch.ts';
import { killChildren, killProcess } from './process-tree.ts';
import { keepLimits } from './resource-limits.ts';

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

/** After the first process of a sandbox ends, the kernel has ended the rest; what is still in the pipes comes at once. */
const drainMilliseconds = 1000;
const lateMilliseconds = 2000;

function open(launch: ReportingLaunch, haveInput: boolean): ChildProcess {
  const nothing = openSync('/dev/null', 'r');
  try {
    const unused = Array.from({ length: descriptors.empty - descriptors.files }, () => 'ignore' as const);
    const empty = Array.from({ length: launch.emptyFiles }, () => nothing);
    return spawn(launch.command, launch.args, {
      stdio: [
        haveInput ? 'pipe' : 'ignore',
        'pipe',
        'pipe',
        launch.filter === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...unused,
        ...empty,
      ],
      env: launch.environment,
      cwd: '/',
      detached: true,
    });
  } finally {
    closeSync(nothing);
  }
}

/** Writes all and closes. A reader that has gone is no failure of ours. */
function feed(stream: Writable | null | undefined, bytes: Uint8Array | undefined): void {
  stream?.on('error', () => stream.destroy());
  stream?.end(bytes);
}

/** Waits until streams have ended, but not for long: everything that could still hold them is dead. */
async function drained(streams: readonly (Readable | Duplex | null | undefined)[]): Promise<void> {
  const ends = streams
    .filter((stream) => stream !== null && stream !== undefined)
    .filter((stream) => !stream.closed)
    .map((stream) => new Promise((resolve) => stream.once('close', resolve)));
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    limit = setTimeout(resolve, drainMilliseconds);
  });
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(limit);
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | undefined;
}

/** The end of the launcher, which is the end of everything in the sandbox, and of the guard beside it. */
async function exitOf(child: ChildProcess): Promise<Exit> {
  // First of all: a process that could not be started has no streams.
  const ended = new Promise<Exit>((resolve) => {
    child.once('error', (cause) => resolve({ exitCode: null, signal: null, error: cause.message }));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, error: undefined }));
  });
  const extra = streamsOf(child);
  const lifeline = extra[descriptors.lifeline];
  lifeline?.on('error', () => lifeline.destroy()).resume();
  const exit = await ended;
  lifeline?.end();
  if (exit.error === undefined) await drained([child.stdout, child.stderr, extra[descriptors.status], lifeline]);
  for (const stream of extra) stream?.destroy();
  return exit;
}

/** None where the process could not be started because too many files are open. */
function streamsOf(child: ChildProcess): readonly (Duplex | null | undefined)[] {
  return (child.stdio as readonly (Duplex | null | undefined)[] | undefined) ?? [];
}

/**
 * Gives the first process its word once it is set up and bounded, if it is still wanted; false when the command was not
 * reached.
 */
async function letStart(
  child: ChildProcess,
  bounded: Promise<void> | undefined,
  wanted: () => boolean,
): Promise<boolean> {
  const status = streamsOf(child)[descriptors.status];
  if (status === null || status === undefined) return false;
  status.on('error', () => status.destroy());
  const ready = await new Promise<boolean>((resolve) => {
    status.once('data', () => resolve(true));
    status.once('close', () => resolve(false));
  });
  if (ready) await bounded;
  const starts = ready && wanted();
  status.end(starts ? 'go\n' : undefined);
  return starts;
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr', command: SandboxCommand): BoundedOutput {
  const output = new BoundedOutput(command.profile.limits.outputBytes);
  child[name]?.on('data', (chunk: Buffer) => {
    output.add(chunk);
    command.onOutput?.(name, chunk);
  });
  return output;
}

/** Kills the tree once; afterwards also what was being forked at that moment, which is in the launcher's group. */
function makeStop(child: ChildProcess): { stop(why: Stop): void; why(): Stop | undefined; end(): void } {
  let reason: Stop | undefined;
  let late: NodeJS.Timeout | undefined;
  return {
    stop: (why) => {
      reason ??= why;
      if (child.pid === undefined) return;
      killChildren(child.pid);
      late ??= setTimeout(killProcess, lateMilliseconds, -child.pid);
    },
    why: () => reason,
    end: () => clearTimeout(late),
  };
}

/** Starts a planned launch and waits for its end: by itself, by its limits or by the caller's signal. */
export async function runContained(
  launch: ReportingLaunch,
  command: SandboxCommand,
  group: ControlGroup | undefined,
): Promise<ContainedEnd> {
  const { limits } = command.profile;
  const child = open(launch, command.input !== undefined);
  const stdout = collect(child, 'stdout', command);
  const stderr = collect(child, 'stderr', command);
  const extra = streamsOf(child);
  feed(child.stdin, command.input);
  if (launch.filter !== undefined) feed(extra[descriptors.filter], launch.filter);
  const { stop, why, end } = makeStop(child);
  const timer = setTimeout(stop, limits.milliseconds, 'timed-out');
  const kept = child.pid === undefined ? undefined : keepLimits(child.pid, limits, group, stop);
  const cancel = (): void => stop('cancelled');
  command.signal?.addEventListener('abort', cancel, { once: true });
  const starting = letStart(child, kept?.bounded, () => why() === undefined);
  const exit = await exitOf(child);
  clearTimeout(timer);
  kept?.end();
  end();
  command.signal?.removeEventListener('abort', cancel);
  const dropped = stdout.dropped + stderr.dropped;
  return { ...exit, stdout: stdout.bytes, stderr: stderr.bytes, dropped, started: await starting, stop: why() };
}
