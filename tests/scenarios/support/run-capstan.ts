import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Top folder of the clone under test. */
export const installation = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON lines of standard output, when `--json` was asked for. */
  readonly events: readonly Event[];
}

export type Event = { readonly type: string; readonly [name: string]: unknown };

export interface RunOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly currentFolder?: string;
  /** Arguments of Node itself, such as a module to load first. */
  readonly nodeArguments?: readonly string[];
  /** A command that starts the process in its stead, given it as its last arguments. */
  readonly launcher?: readonly string[];
  /** Called with the process as soon as it is there, and with each piece of its output. */
  readonly onStart?: (pid: number) => void;
  readonly onOutput?: (text: string) => void;
}

/** Runs the real binary as a person would, with an environment of its own, and waits for its end. */
export function runCapstan(args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const argv = [...(options.launcher ?? []), process.execPath, ...(options.nodeArguments ?? [])];
    const [command = '', ...rest] = [...argv, join(installation, 'bin', 'capstan'), ...args];
    const child = spawn(command, rest, {
      cwd: options.currentFolder ?? options.home,
      env: {
        // As linked into the PATH: hints then say `capstan`.
        PATH: `${process.env.PATH ?? ''}:${join(installation, 'bin')}`,
        HOME: options.home,
        USER: 'tester',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(options.home, '..', 'compile-cache'),
        CAPSTAN_HOME: join(options.home, 'state'),
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) options.onStart?.(child.pid);
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
      options.onOutput?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
    });
    child.on('error', reject);
    child.on('close', (exitCode, signal) =>
      resolve({ exitCode, signal, ...output, events: readEvents(args, output.stdout) }),
    );
  });
}

function readEvents(args: readonly string[], stdout: string): Event[] {
  if (!args.includes('--json')) return [];
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Event];
    } catch {
      return []; // The last line of a killed process may be cut off.
    }
  });
}

/** The last event of a type. Fails loudly when there is none. */
export function lastEvent(finished: Pick<Finished, 'events' | 'stdout' | 'stderr'>, type: string): Event {
  const event = finished.events.findLast((candidate) => candidate.type === type);
  if (!event) throw new Error(`no ${type} event in:\n${finished.stdout.slice(-4000)}\n${finished.stderr.slice(-4000)}`);
  return event;
}
