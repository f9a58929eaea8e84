import {
  CapstanError,
  type SandboxCommand,
  type SandboxKind,
  type SandboxOutput,
  type SandboxRunner,
  type SteadyClock,
  toFailure,
} from '@capstan/contracts';
import { type ContainedEnd, runContained, type Stop } from './contained-process.ts';
import { type ControlGroup, type ControlGroups, findControlGroups } from './control-group.ts';
import { defaultLimits } from './default-limits.ts';
import { type HostView, viewHost } from './host-view.ts';
import { planLaunch } from './launch.ts';

const nothing = new Uint8Array();
const monotonic: SteadyClock = { steady: () => performance.now() };

function endedWithout(
  kind: SandboxKind,
  ended: 'not-started' | 'cancelled',
  reason: string,
  durationMs: number,
): SandboxOutput {
  const stderr = Buffer.from(`sandbox: ${reason}\n`);
  return { exitCode: null, signal: null, stdout: nothing, stderr, dropped: 0, durationMs, ended, containment: kind };
}

const reasons: Record<Stop, string> = {
  'timed-out': 'killed: over the time limit',
  cancelled: 'killed: cancelled',
  memory: 'killed: over the memory limit',
  processes: 'killed: over the limit of processes',
};

function noteFor(end: ContainedEnd, group: ControlGroup | undefined): string | undefined {
  if (end.stop !== undefined) return reasons[end.stop];
  return group?.ranOutOfMemory() === true ? 'a process was killed: over the memory limit' : undefined;
}

function outputOf(
  kind: SandboxKind,
  end: ContainedEnd,
  group: ControlGroup | undefined,
  durationMs: number,
): SandboxOutput {
  const { exitCode, signal, stdout, dropped } = end;
  const note = noteFor(end, group);
  const stderr = note === undefined ? end.stderr : Buffer.concat([end.stderr, Buffer.from(`\nsandbox: ${note}\n`)]);
  const output = { stdout, stderr, dropped, durationMs, containment: kind };
  if (end.stop !== undefined) {
    const ended = end.stop === 'timed-out' || end.stop === 'cancelled' ? end.stop : 'exit';
    return { ...output, exitCode: null, signal: 'SIGKILL', ended };
  }
  return { ...output, exitCode, signal, ended: end.started ? 'exit' : 'not-started' };
}

function describe(thrown: unknown): string {
  const failure = toFailure(thrown);
  return failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`;
}

/**
 * A runner that contains in one way and no other. Kind `none` refuses every command with `ended: 'not-started'`; so
 * does a profile that cannot be set up, with the reason on `stderr`. A command that a signal ended has the exit code
 * 128 + signal. Limits are kept by control groups where those can be made, else by looking at the tree ten times a second.
 */
export function createSandboxRunner(options: {
  readonly kind: SandboxKind;
  readonly searchPath: string;
  readonly clock?: SteadyClock;
  /** False: keep limits by watching the tree even where control groups can be made. */
  readonly controlGroups?: boolean;
}): SandboxRunner {
  const { kind, searchPath, clock = monotonic, controlGroups = true } = options;
  let host: HostView | undefined;
  let found: Promise<ControlGroups | undefined> | undefined;

  const contain = async (command: SandboxCommand, begin: number): Promise<SandboxOutput> => {
    found ??= controlGroups && kind !== 'none' ? findControlGroups(defaultLimits) : Promise.resolve(undefined);
    host ??= viewHost();
    const { profile, argv } = command;
    const group = (await found)?.create(profile.limits);
    try {
      const launch = planLaunch({ host, kind, profile, argv, searchPath, descriptors: true });
      const end = await runContained(launch, command, group);
      if (end.error !== undefined) return endedWithout(kind, 'not-started', end.error, clock.steady() - begin);
      return outputOf(kind, end, group, clock.steady() - begin);
    } finally {
      group?.remove();
    }
  };

  return {
    kind,
    run: async (command) => {
      const begin = clock.steady();
      if (command.signal?.aborted === true) return endedWithout(kind, 'cancelled', 'cancelled before it started', 0);
      try {
        return await contain(command, begin);
      } catch (thrown) {
        if (!(thrown instanceof CapstanError)) throw thrown;
        return endedWithout(kind, 'not-started', describe(thrown), clock.steady() - begin);
      }
    },
  };
}
