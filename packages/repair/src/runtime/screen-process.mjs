import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killGroup } from './run-process.mjs';

const SCRIPT = fileURLToPath(new URL('./screen.mjs', import.meta.url));

/** A running screen.mjs. `ask` sends one command and resolves with its last line, or with why there is none. */
export class ScreenProcess {
  #options;
  #child;
  #buffered = '';
  #waiting;
  #timer;
  #cpuMs = 0;

  constructor(options) {
    this.#options = options;
  }

  /** CPU milliseconds of the process that runs now; those of earlier ones are counted where they are waited for. */
  get cpuMs() {
    return this.#cpuMs;
  }

  ask(command, timeoutMs, onTest) {
    if (this.#child === undefined) this.#start();
    return new Promise((resolve) => {
      this.#waiting = { resolve, onTest };
      this.#timer = setTimeout(() => this.#settle({ kind: 'end', lost: 'timed-out' }), timeoutMs);
      this.#child.stdio[3].write(`${JSON.stringify(command)}\n`);
    });
  }

  close() {
    const child = this.#child;
    this.#child = undefined;
    this.#cpuMs = 0;
    if (child !== undefined) killGroup(child.pid);
  }

  #start() {
    const { nodeFlags, probes, memoryMb, cwd, env } = this.#options;
    const argv = [...nodeFlags, `--max-old-space-size=${memoryMb}`, SCRIPT, String(probes)];
    const child = spawn(process.execPath, argv, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#buffered = '';
    child.stdio[3].on('error', () => this.#lose(child));
    child.stdio[4].on('error', () => this.#lose(child));
    child.on('error', () => this.#lose(child));
    child.on('exit', () => this.#lose(child));
    child.stdio[4].setEncoding('utf8');
    child.stdio[4].on('data', (chunk) => this.#read(child, chunk));
  }

  #lose(child) {
    if (child === this.#child) this.#settle({ kind: 'end', lost: 'crashed' });
  }

  #read(child, chunk) {
    if (child !== this.#child) return;
    const lines = (this.#buffered + chunk).split('\n');
    this.#buffered = lines.pop();
    for (const line of lines) {
      const value = parseLine(line);
      if (typeof value?.cpuMs === 'number') this.#cpuMs = value.cpuMs;
      if (value?.kind === 'test') this.#waiting?.onTest?.(value);
      if (value?.kind === 'end') this.#settle(value);
    }
  }

  #settle(value) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    if (value.lost !== undefined) this.close();
    waiting?.resolve(value);
  }
}

/** Tested code can write to the pipe as well: what is not a line of ours is dropped. */
function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
