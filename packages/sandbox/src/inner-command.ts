import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import { CapstanError, type SandboxProfile } from '@capstan/contracts';
import { systemExecutable } from './executable.ts';
import { firstProcessScript, reportingFirstProcessScript } from './launch-scripts.ts';

/** The path of a tool of the operating system; throws `no-sandbox` when it is missing. */
export function requireSystemTool(name: string): string {
  const path = systemExecutable(name);
  if (path !== undefined) return path;
  throw new CapstanError('no-sandbox', `The system has no "${name}".`, { hint: 'Install util-linux and coreutils.' });
}

/** The hard limit that this process has, so that nothing above it is asked for. */
function hardLimit(label: string): number {
  const line = readFileSync('/proc/self/limits', 'utf8')
    .split('\n')
    .find((text) => text.startsWith(label));
  const hard = line?.slice(label.length).trim().split(/\s+/)[1];
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

/** Since 5.14 the kernel counts processes per user namespace; before, the count includes everything else of the user. */
function countsProcessesPerNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

function limitTexts(profile: SandboxProfile): [blocks: string, processes: string] {
  const bounded = (value: number, label: string): number => Math.min(Math.max(1, Math.floor(value)), hardLimit(label));
  const { processes, temporaryBytes } = profile.limits;
  return [
    String(Math.ceil(bounded(temporaryBytes, 'Max file size') / 512)),
    countsProcessesPerNamespace() ? String(bounded(processes, 'Max processes')) : '',
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
  options: { readonly reports: boolean; readonly session: boolean },
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
    ...['/bin/sh', '-c', script, 'sh', profile.workingDirectory, ...limitTexts(profile)],
    ...(options.session ? [requireSystemTool('setsid')] : []),
    ...[requireSystemTool('env'), '-i', '--', ...assignments, ...argv],
  ];
}
