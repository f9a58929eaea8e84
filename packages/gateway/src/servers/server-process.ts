import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** How long the process may take to end by itself once its input has ended. */
  readonly graceMilliseconds: number;
}

const diagnosticLimit = 8 * 1024;
/** Of one life, so that a server that talks without end fills no log. Characters. */
const reportLimit = 256 * 1024;

/**
 * A server process as an MCP transport over its standard input and output. The SDK's own transport adds HOME, PATH, USER
 * and others to the environment and lets a process that ignores the end of its input live for seconds: this one gives
 * exactly the environment that was asked for, and ends by SIGKILL. Each object is one life.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Gets each line of standard error, up to 256 Ki characters in all. */
  ondiagnostic?: (line: string) => void;
  readonly #options: ProcessOptions;
  readonly #buffer = new ReadBuffer();
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #diagnostics = '';
  #unfinishedLine = '';
  #reported = 0;
  #closing = false;
  #yields = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The last output on standard error: at most 8 KiB. */
  get diagnostics(): string {
    return this.#diagnostics;
  }

  /** It was asked to end; otherwise it ended by itself. */
  get isClosing(): boolean {
    return this.#closing;
  }

  async start(): Promise<void> {
    const { command, args, environment } = this.#options;
    // A process group of its own: a terminal's Ctrl-C is for the host, which then lets its calls end and closes.
    const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
    const child = spawn(command, [...args], { env: { ...environment }, stdio, cwd: '/', detached: true });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    // Too many open files: then there are no streams, and this throws.
    if (child.pid === undefined) await once(child, 'spawn');
    this.#listen(child, child.stdin, child.stdout, child.stderr);
    await once(child, 'spawn');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input?.writable) throw new Error('The server process has ended.');
    await new Promise<void>((resolve, reject) => {
      input.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the input, then kills. Resolves when the process is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#closing = true;
    if (child === undefined) return;
    child.stdin?.end();
    const grace = new AbortController();
    const late = delay(this.#options.graceMilliseconds, true, { signal: grace.signal }).catch(() => false);
    const overdue = await Promise.race([this.#ended.then(() => false), late]);
    grace.abort();
    if (overdue) killGroup(child);
    await this.#gone(child);
  }

  /** A grandchild may hold the pipes open: what counts is that the process itself has exited. */
  async #gone(child: ChildProcess): Promise<void> {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    child.stdout?.destroy();
    child.stderr?.destroy();
    await this.#ended;
  }

  #listen(child: ChildProcess, input: Writable, output: Readable, errors: Readable): void {
    const report = (error: Error): void => this.onerror?.(error);
    child.on('error', report);
    input.on('error', report);
    output.on('error', report);
    errors.on('error', report);
    child.once('close', () => {
      while (this.#readOne() !== 'nothing');
      this.#buffer.clear();
      this.#report('\n');
      this.onclose?.();
    });
    errors.setEncoding('utf8').on('data', (text: string) => {
      this.#diagnostics = (this.#diagnostics + text).slice(-diagnosticLimit);
      this.#report(text);
    });
    output.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  #report(text: string): void {
    if (this.#reported > reportLimit) return;
    const lines = (this.#unfinishedLine + text).split('\n');
    const last = lines.pop() ?? '';
    const isLong = last.length > diagnosticLimit;
    this.#unfinishedLine = isLong ? '' : last;
    for (const line of isLong ? [...lines, last] : lines) {
      this.#reported += line.length;
      if (line.trim() !== '') this.ondiagnostic?.(line);
      if (this.#reported <= reportLimit) continue;
      this.ondiagnostic?.('(what it says from here on is not kept)');
      return;
    }
  }

  /** A line that is no message is reported and skipped; an oversized one ends the process. */
  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(asError(error));
      this.#child?.kill('SIGKILL');
      return;
    }
    this.#deliver();
  }

  /**
   * The SDK handles a notification a moment later than a result, and a result ends the progress of its call: so what came
   * behind a notification in one piece waits for a turn, or the progress of a fast call would be lost.
   */
  #deliver(): void {
    if (this.#yields) return;
    for (;;) {
      const read = this.#readOne();
      if (read === 'nothing') return;
      if (read === 'other') continue;
      this.#yields = true;
      setImmediate(() => {
        this.#yields = false;
        this.#deliver();
      });
      return;
    }
  }

  #readOne(): 'nothing' | 'notification' | 'other' {
    try {
      const message = this.#buffer.readMessage();
      if (message === null) return 'nothing';
      this.onmessage?.(message);
      return 'id' in message ? 'other' : 'notification';
    } catch (error) {
      this.onerror?.(asError(error));
      return 'other';
    }
  }
}

/** The process and what it started in its group; nothing when they have just ended. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
