import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** An answer as it came over the wire. */
export const Answer = z.looseObject({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Answer = z.infer<typeof Answer>;

export interface RawCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** A server's process, spoken to by lines, so that what is wrong can be sent too. */
export class RawServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (answer: Answer | 'ended') => void>();
  readonly #exit: Promise<unknown[]>;
  readonly #onLine: (line: string) => void;
  #next = 1;
  #said = '';

  /** `onLine` gets every line that the server writes, answers included. */
  constructor({ command, args, environment }: RawCommand, onLine: (line: string) => void) {
    this.#onLine = onLine;
    this.#child = spawn(command, [...args], { env: { ...environment }, stdio: 'pipe', cwd: '/', detached: true });
    this.#exit = once(this.#child, 'exit');
    // As many as there are lanes wait for it to drain.
    this.#child.stdin.setMaxListeners(0).on('error', () => undefined);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-4096);
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    this.#child.once('exit', () => {
      for (const resolve of this.#waiting.values()) resolve('ended');
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Its last words on standard error. */
  get said(): string {
    return this.#said;
  }

  /** Waits while the pipe is full. */
  async sendLine(line: string | Uint8Array): Promise<void> {
    const { stdin } = this.#child;
    stdin.write(line);
    if (!stdin.write('\n') && !this.hasEnded) await Promise.race([once(stdin, 'drain'), this.#exit]);
  }

  async request(method: string, params: unknown): Promise<Answer | 'ended'> {
    const id = this.#next;
    this.#next += 1;
    const answer = new Promise<Answer | 'ended'>((resolve) => this.#waiting.set(id, resolve));
    await this.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.hasEnded ? 'ended' : answer;
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: 'fuzz', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await this.sendLine('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  /** Ends its input; how it exited, or `killed` when it took longer than the time that is given. */
  async end(milliseconds: number): Promise<number | string> {
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), milliseconds);
    const [code, signal] = await this.#exit;
    clearTimeout(late);
    return typeof code === 'number' ? code : String(signal);
  }

  #receive(line: string): void {
    this.#onLine(line);
    const parsed = Answer.safeParse(parseLine(line));
    if (!parsed.success || typeof parsed.data.id !== 'number') return;
    const resolve = this.#waiting.get(parsed.data.id);
    this.#waiting.delete(parsed.data.id);
    resolve?.(parsed.data);
  }
}

/** Undefined for a line that is no JSON: then its call stays without an answer, which is found. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
