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

function limitFlags(profile: SandboxProfile): string[] {
  const flag = (name: string, value: number, label: string): string => {
    const bounded = Math.min(Math.max(1, Math.floor(value)), hardLimit(label));
    return `--${name}=${bounded}:${bounded}`;
  };
  const { processes, temporaryBytes } = profile.limits;
  return [
    '--core=0:0',
    flag('fsize', temporaryBytes, 'Max file size'),
    ...(countsProcessesPerNamespace() ? [flag('nproc', processes, 'Max processes')] : []),
  ];
}

function refuse(message: string): never {
  throw new CapstanError('no-sandbox', message, { level: 'param', hint: 'Correct the command or its environment.' });
}

/**
 * What runs inside, from the first process on: that one waits for a new session, in which something sets the limits, then the profile's environment and nothing else, then becomes the command.
 * The environment comes after the limits, so that it cannot load code into what sets them.
 */
export function innerCommand(profile: SandboxProfile, argv: readonly string[], reports: boolean): string[] {
  const [program] = argv;
  if (program === undefined || program === '') return refuse('There is no command to run.');
  if (argv.some((argument) => argument.includes('\0'))) refuse('A command cannot contain a NUL character.');
  if (!profile.workingDirectory.startsWith('/')) refuse('The working folder must be an absolute path.');
  if (program.includes('=')) refuse('The name of a program cannot contain "=".');
  const assignments = Object.entries(profile.environment).map(([name, value]) => {
    if (!/^[^=\0]+$/.test(name) || value.includes('\0')) refuse(`"${name}" cannot be an environment variable.`);
    return `${name}=${value}`;
  });
  const script = reports ? reportingFirstProcessScript : firstProcessScript;
  const first = ['/bin/sh', '-c', script, 'sh', profile.workingDirectory, requireSystemTool('setsid')];
  const limits = [requireSystemTool('prlimit'), ...limitFlags(profile)];
  return [...first, ...limits, requireSystemTool('env'), '-i', '--', ...assignments, ...argv];
}
