import { EventEmitter } from 'node:events';
import type { SandboxOutput, SandboxRunner, SteadyClock } from '@capstan/contracts';
import { z } from 'zod';
import type { PreparedRun } from '../prepare-run.ts';
import { JobOutput } from './job-output.ts';

/** A run that writes more than this is ended: nobody will read it. Bytes. */
const mostBytes = 2 * 1024 ** 3;
/** The reason why nothing was started comes on the sandbox's standard error; the output itself goes to `JobOutput`. */
const errorBytes = 16 * 1024;

/** What is known of one run of a command. */
export const JobState = z.strictObject({
  jobId: z.string(),
  state: z.enum(['running', 'exited', 'timed-out', 'stopped', 'output-limit', 'not-started']),
  exitCode: z.number().nullable(),
  outputBytes: z.number(),
});
export type JobState = z.infer<typeof JobState>;

/** What is to be run. */
export interface JobOrder {
  readonly command: string;
  readonly argv: readonly string[];
  readonly milliseconds: number;
  /** Makes the sandbox's profile and what it needs, when the run begins. */
  prepare(): Promise<PreparedRun>;
  /** Called as output comes; `line` gives the last line. */
  onLine?(line: () => string): void;
}

export interface JobDeps {
  readonly runner: SandboxRunner;
  readonly clock: SteadyClock;
}

/** One run of a command in the sandbox, from its start to its end; its output can be read at any time. Never throws. */
export class Job {
  readonly id: string;
  readonly order: JobOrder;
  readonly output: JobOutput;
  /** Resolves when the tree of processes is gone. */
  readonly done: Promise<void>;
  readonly #deps: JobDeps;
  readonly #begin: number;
  readonly #stop = new AbortController();
  readonly #news = new EventEmitter().setMaxListeners(0);
  #ended: { readonly state: JobState['state']; readonly exitCode: number | null; readonly at: number } | undefined;
  #isFlooding = false;
  #received = 0;

  constructor(id: string, path: string, order: JobOrder, deps: JobDeps) {
    this.id = id;
    this.order = order;
    this.output = new JobOutput(path);
    this.#deps = deps;
    this.#begin = deps.clock.steady();
    this.done = this.#run();
  }

  get state(): JobState {
    const { state = 'running', exitCode = null } = this.#ended ?? {};
    return { jobId: this.id, state, exitCode, outputBytes: this.output.total };
  }

  /** How long it has been running, or ran. */
  get seconds(): number {
    const until = this.#ended?.at ?? this.#deps.clock.steady();
    return Math.round((until - this.#begin) / 100) / 10;
  }

  get isRunning(): boolean {
    return this.#ended === undefined;
  }

  /** Ends the whole tree of processes; `done` says when. */
  stop(): void {
    this.#stop.abort();
  }

  /** Resolves when output came, the run ended, the time is over or the signal fires: whichever is first. */
  async change(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.isRunning || signal.aborted || milliseconds <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const wake = (): void => resolve();
    this.#news.once('change', wake);
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    clearTimeout(timer);
    this.#news.off('change', wake);
    signal.removeEventListener('abort', wake);
  }

  async #run(): Promise<void> {
    try {
      await using prepared = await this.order.prepare();
      const received = { stdout: 0, stderr: 0 };
      const { argv, milliseconds } = this.order;
      const ended = await this.#deps.runner.run({
        argv,
        profile: prepared.profile({ milliseconds, outputBytes: errorBytes }),
        signal: this.#stop.signal,
        onOutput: (stream, chunk) => {
          received[stream] += chunk.length;
          this.#receive(stream, chunk);
        },
      });
      this.output.finish();
      const word = wordOfSandbox(ended, Math.min(received.stderr, errorBytes));
      if (word !== '') this.output.addLine(word);
      this.#end(ended);
    } catch (thrown) {
      this.output.addLine(thrown instanceof Error ? thrown.message : String(thrown));
      this.#end({ ended: 'not-started', exitCode: null });
    }
  }

  #receive(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    this.#received += chunk.length;
    if (this.#received > mostBytes && !this.#isFlooding) {
      this.#isFlooding = true;
      this.stop();
    }
    this.output.add(stream, chunk);
    this.order.onLine?.(() => this.output.lastLine());
    this.#news.emit('change');
  }

  #end({ ended, exitCode }: Pick<SandboxOutput, 'ended' | 'exitCode'>): void {
    const states = {
      exit: 'exited',
      cancelled: 'stopped',
      'timed-out': 'timed-out',
      'not-started': 'not-started',
    } as const;
    const state = ended === 'cancelled' && this.#isFlooding ? 'output-limit' : states[ended];
    this.#ended = { state, exitCode, at: this.#deps.clock.steady() };
    this.#news.emit('change');
  }
}

/** What the sandbox itself says, behind what the command wrote: why it was not started, or what ended it. */
function wordOfSandbox({ stderr }: SandboxOutput, written: number): string {
  return Buffer.from(stderr.subarray(written)).toString('utf8').trim();
}
