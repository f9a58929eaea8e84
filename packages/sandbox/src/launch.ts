import { getuid } from 'node:process';
import { CapstanError, type SandboxKind, type SandboxProfile } from '@capstan/contracts';
import { bubblewrapArguments, descriptors } from './bubblewrap.ts';
import { findExecutable, systemExecutable } from './executable.ts';
import { readHostMounts } from './host-mounts.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import { innerCommand, requireSystemTool } from './inner-command.ts';
import {
  bubblewrapScript,
  closeScript,
  guardedBubblewrapScript,
  guardedJoinScript,
  joinScript,
  pipedFilterScript,
} from './launch-scripts.ts';
import { planRoot, type RootLayout } from './root-layout.ts';
import { seccompFilter } from './seccomp.ts';
import { filterCommand, utilLinuxCommand } from './util-linux.ts';

/** How to start a contained process: give these three to `spawn` and nothing else. */
export interface Launch {
  readonly command: string;
  readonly args: string[];
  /** Fixed: nothing that a profile says reaches the launcher. */
  readonly environment: Record<string, string>;
}

export interface ReportingLaunch extends Launch {
  /** To be written to descriptor 3; undefined when there is nothing to write. */
  readonly filter: Buffer | undefined;
  /** How many descriptors from 10 on must be open on an empty file. */
  readonly emptyFiles: number;
}

interface LaunchRequest {
  readonly kind: SandboxKind;
  readonly profile: SandboxProfile;
  readonly argv: readonly string[];
  readonly searchPath: string;
  /** Files of control groups that the process writes itself into. */
  readonly groups: readonly string[];
  /** Whether the starter passes descriptors above 2: see `ReportingLaunch`. */
  readonly descriptors: boolean;
}

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Ends the launcher with the process that starts it; as root, groups of the host are dropped as well. */
function tied(used: readonly number[]): string[] {
  const groups = getuid?.() === 0 ? ['--clear-groups'] : [];
  return [...groups, '--pdeathsig', 'KILL', ...closing(used), '/bin/sh', '-c'];
}

/** Closes what would leak from this process; empty when nothing would. Plain shells know descriptors below 10 only. */
function closing(used: readonly number[]): string[] {
  const leaking = inheritedDescriptors().filter((descriptor) => !used.includes(descriptor));
  if (leaking.length === 0) return [];
  const bash = systemExecutable('bash');
  const withoutFiles = ['--norc', '--noprofile'];
  const plain = leaking.every((descriptor) => descriptor < 10) ? ['/bin/sh'] : undefined;
  const shell = plain ?? (bash === undefined ? undefined : [bash, ...withoutFiles]);
  if (shell === undefined) {
    throw new CapstanError('no-sandbox', `Open descriptors would leak: ${leaking.join(', ')}.`, {
      hint: 'Install bash, or start Capstan without inherited descriptors.',
    });
  }
  return [...shell, '-c', closeScript, 'sh', leaking.join(' ')];
}

function bubblewrapLaunch(request: LaunchRequest, layout: RootLayout, inner: readonly string[]): ReportingLaunch {
  const bubblewrap = findExecutable('bwrap', request.searchPath);
  if (bubblewrap === undefined) {
    throw new CapstanError('no-sandbox', 'bubblewrap (bwrap) is not on the PATH.', { hint: 'Install bubblewrap.' });
  }
  const setpriv = requireSystemTool('setpriv');
  const filter = seccompFilter(process.arch);
  const emptyFiles = layout.hidden.filter(({ type }) => type === 'file').length;
  const command = [
    ...layout.files.map(({ text }) => text.trimEnd()),
    bubblewrap,
    ...bubblewrapArguments(layout, request.profile, {
      haveFilter: filter !== undefined,
      haveDescriptors: request.descriptors,
    }),
    '--',
    ...inner,
  ];
  const joined = [...request.groups, '--', ...command];
  if (request.descriptors || filter === undefined) {
    const empty = Array.from({ length: emptyFiles }, (_, index) => descriptors.empty + index);
    const used = request.descriptors ? [descriptors.filter, descriptors.status, descriptors.lifeline, ...empty] : [];
    const script = request.descriptors ? guardedBubblewrapScript : bubblewrapScript;
    const args = [...tied(used), script, 'sh', String(process.pid), ...joined];
    return { command: setpriv, args, environment, filter, emptyFiles };
  }
  const octal = [...filter].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const piped = [pipedFilterScript, 'sh', String(process.pid), octal, setpriv, bubblewrapScript];
  const args = [...tied([]), ...piped, ...joined];
  return { command: setpriv, args, environment, filter: undefined, emptyFiles: 0 };
}

function utilLinuxLaunch(request: LaunchRequest, layout: RootLayout, inner: readonly string[]): ReportingLaunch {
  const command = utilLinuxCommand(layout, request.profile, inner, {
    mounts: readHostMounts(),
    filter: filterCommand(seccompFilter(process.arch), process.arch),
  });
  const used = request.descriptors ? [descriptors.status, descriptors.lifeline] : [];
  const script = request.descriptors ? guardedJoinScript : joinScript;
  const args = [...tied(used), script, 'sh', String(process.pid), ...request.groups, '--', ...command];
  return { command: requireSystemTool('setpriv'), args, environment, filter: undefined, emptyFiles: 0 };
}

/** Plans the start of a contained process. Throws `no-sandbox` when it cannot be contained as the profile says. */
export function planLaunch(request: LaunchRequest): ReportingLaunch {
  if (request.kind === 'none') {
    throw new CapstanError('no-sandbox', 'There is no sandbox on this machine.', {
      hint: 'Install bubblewrap, or allow user namespaces; `capstan doctor` says which.',
    });
  }
  const layout = planRoot(request.profile);
  const inner = innerCommand(request.profile, request.argv, request.descriptors);
  return request.kind === 'bubblewrap'
    ? bubblewrapLaunch(request, layout, inner)
    : utilLinuxLaunch(request, layout, inner);
}

/**
 * For long-lived servers on standard input and output: what to spawn, from this very process. The sandbox ends when
 * the process or this one ends. Limits of time, memory and output are the starter's matter; processes (unless run by
 * root), file sizes and /tmp are limited. Throws `no-sandbox` instead of ever starting anything uncontained.
 */
export function launchInSandbox(
  kind: SandboxKind,
  profile: SandboxProfile,
  argv: readonly string[],
  searchPath: string,
): Launch {
  const launch = planLaunch({ kind, profile, argv, searchPath, groups: [], descriptors: false });
  return { command: launch.command, args: launch.args, environment: launch.environment };
}
