import { getgroups, getuid } from 'node:process';
import { CapstanError, type SandboxKind, type SandboxProfile } from '@capstan/contracts';
import { bubblewrapArguments, descriptors, overlayCommand } from './bubblewrap.ts';
import { findExecutable, systemExecutable } from './executable.ts';
import { readHostMounts } from './host-mounts.ts';
import { type HostView, viewHost } from './host-view.ts';
import { innerCommand, requireSystemTool } from './inner-command.ts';
import {
  checkedFilesScript,
  checkedScript,
  closeScript,
  guardedFilesScript,
  guardedScript,
  pipedFilterScript,
} from './launch-scripts.ts';
import { planRoot, type RootLayout } from './root-layout.ts';
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
  readonly host: HostView;
  readonly kind: SandboxKind;
  readonly profile: SandboxProfile;
  readonly argv: readonly string[];
  readonly searchPath: string;
  /** Whether the starter passes descriptors above 2: see `ReportingLaunch`. */
  readonly descriptors: boolean;
}

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Closes what would leak from this process; empty when nothing would. Plain shells know descriptors below 10 only. */
function closing(host: HostView, used: readonly number[]): string[] {
  const leaking = host.inheritedDescriptors.filter((descriptor) => !used.includes(descriptor));
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

/** As root, supplementary groups of the host are dropped; a user cannot, and keeps no more than it has. */
function droppingGroups(): string[] {
  const extra = getuid?.() === 0 && (getgroups?.() ?? []).some((group) => group !== 0);
  return extra ? [requireSystemTool('setpriv'), '--clear-groups'] : [];
}

/** For starters that pass no descriptors: the launcher is killed with its parent. */
function tied(): string[] {
  return [requireSystemTool('setpriv'), ...(getuid?.() === 0 ? ['--clear-groups'] : []), '--pdeathsig', 'KILL'];
}

function commandLine(parts: readonly string[], more: Partial<ReportingLaunch> = {}): ReportingLaunch {
  const [command = '', ...args] = parts;
  return { command, args, environment, filter: undefined, emptyFiles: 0, ...more };
}

function bubblewrapLaunch(request: LaunchRequest, layout: RootLayout): ReportingLaunch {
  const bubblewrap = findExecutable('bwrap', request.searchPath);
  if (bubblewrap === undefined) {
    throw new CapstanError('no-sandbox', 'bubblewrap (bwrap) is not on the PATH.', { hint: 'Install bubblewrap.' });
  }
  const { host, profile, argv, descriptors: haveDescriptors } = request;
  const { filter } = host;
  const haveFilter = filter !== undefined;
  const command = [
    ...layout.files.map(({ text }) => text.trimEnd()),
    ...overlayCommand(layout, profile),
    bubblewrap,
    ...bubblewrapArguments(layout, profile, { haveFilter, haveDescriptors }),
    ...['--', ...innerCommand(profile, argv, { host, reports: haveDescriptors, session: false })],
  ];
  if (haveDescriptors) {
    const emptyFiles = layout.hidden.filter(({ type }) => type === 'file').length;
    const empty = Array.from({ length: emptyFiles }, (_, index) => descriptors.empty + index);
    const used = [descriptors.filter, descriptors.status, descriptors.lifeline, ...empty];
    const shell = [...closing(request.host, used), '/bin/sh', '-c', guardedFilesScript, 'sh'];
    return commandLine([...droppingGroups(), ...shell, ...command], { filter, emptyFiles });
  }
  const shell = [...tied(), ...closing(request.host, []), '/bin/sh', '-c'];
  const starter = String(process.pid);
  if (filter === undefined) return commandLine([...shell, checkedFilesScript, 'sh', starter, ...command]);
  const octal = [...filter].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const piped = [pipedFilterScript, 'sh', starter, octal, requireSystemTool('setpriv'), checkedFilesScript];
  return commandLine([...shell, ...piped, ...command]);
}

function utilLinuxLaunch(request: LaunchRequest, layout: RootLayout): ReportingLaunch {
  const { host, profile, argv, descriptors: haveDescriptors } = request;
  const first = innerCommand(profile, argv, { host, reports: haveDescriptors, session: true });
  const filter = filterCommand(host.filter, process.arch);
  const command = utilLinuxCommand(layout, profile, first, { mounts: readHostMounts(), filter });
  if (!haveDescriptors) {
    const shell = [...tied(), ...closing(request.host, []), '/bin/sh', '-c', checkedScript, 'sh', String(process.pid)];
    return commandLine([...shell, ...command]);
  }
  const used = [descriptors.status, descriptors.lifeline];
  return commandLine([
    ...droppingGroups(),
    ...closing(request.host, used),
    '/bin/sh',
    '-c',
    guardedScript,
    'sh',
    ...command,
  ]);
}

/** Plans the start of a contained process. Throws `no-sandbox` when it cannot be contained as the profile says. */
export function planLaunch(request: LaunchRequest): ReportingLaunch {
  if (request.kind === 'none') {
    throw new CapstanError('no-sandbox', 'There is no sandbox on this machine.', {
      hint: 'Install bubblewrap, or allow user namespaces; `capstan doctor` says which.',
    });
  }
  const layout = planRoot(request.profile, request.host);
  if (!request.descriptors && request.profile.binds.some(({ access }) => access === 'overlay')) {
    throw new CapstanError('no-sandbox', 'A server that is started directly gets no overlays.', {
      hint: 'Run it through a sandbox runner, or bind the folder for reading.',
    });
  }
  return request.kind === 'bubblewrap' ? bubblewrapLaunch(request, layout) : utilLinuxLaunch(request, layout);
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
  const launch = planLaunch({ host: viewHost(), kind, profile, argv, searchPath, descriptors: false });
  return { command: launch.command, args: launch.args, environment: launch.environment };
}
