import { CapstanError, type SandboxProfile } from '@capstan/contracts';
import { systemExecutable } from './executable.ts';
import type { HostView } from './host-view.ts';
import { firstProcessScript, reportingFirstProcessScript } from './launch-scripts.ts';

/** The path of a tool of the operating system; throws `no-sandbox` when it is missing. */
export function requireSystemTool(name: string): string {
  const path = systemExecutable(name);
  if (path !== undefined) return path;
  throw new CapstanError('no-sandbox', `The system has no "${name}".`, { hint: 'Install util-linux and coreutils.' });
}

function limitTexts({ limits }: SandboxProfile, host: HostView): [blocks: string, processes: string] {
  const bounded = (value: number, most: number): number => Math.min(Math.max(1, Math.floor(value)), most);
  return [
    String(Math.ceil(bounded(limits.temporaryBytes, host.largestFile) / 512)),
    host.countsProcessesPerNamespace ? String(bounded(limits.processes, host.mostProcesses)) : '',
  ];
}

function refuse(message: string): never {
  throw new CapstanError('no-sandbox', message, { level: 'param', hint: 'Correct the command or its environment.' });
}

/**
 * What runs inside, from the first process on: it sets the limits and waits for the command, which gets the profile's
 * environment and nothing else. `session`: whether a new session is still to be made.
 */
export function innerCommand(
  profile: SandboxProfile,
  argv: readonly string[],
  options: { readonly host: HostView; readonly reports: boolean; readonly session: boolean },
): string[] {
  const [program] = argv;
  if (program === undefined || program === '') return refuse('There is no command to run.');
  if (argv.some((argument) => argument.includes('\0'))) refuse('A command cannot contain a NUL character.');
  if (!/^\/[^\0]*$/.test(profile.workingDirectory)) refuse('The working folder must be an absolute path.');
  if (program.includes('=')) refuse('The name of a program cannot contain "=".');
  const assignments = Object.entries(profile.environment).map(([name, value]) => {
    if (!/^[^=\0]+$/.test(name) || value.includes('\0')) refuse(`"${name}" cannot be an environment variable.`);
    return `${name}=${value}`;
  });
  const script = options.reports ? reportingFirstProcessScript : firstProcessScript;
  return [
    ...['/bin/sh', '-c', script, 'sh', profile.workingDirectory, ...limitTexts(profile, options.host)],
    ...(options.session ? [requireSystemTool('setsid')] : []),
    ...[requireSystemTool('env'), '-i', '--', ...assignments, ...argv],
  ];
}
