import { EventEmitter } from 'node:events';
import { type Failure, type SandboxOutput, type SteadyClock, toFailure } from '@capstan/contracts';
import { z } from 'zod';
import { JobOutput } from './job-output.ts';

/** A run that writes more than this is ended: nobody will read it. Bytes. */
const mostBytes = 2 * 1024 ** 3;

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
  /** Runs it in the sandbox to its end, or until the signal fires. */
  start(streams: JobStreams): Promise<JobEnd>;
  /** Called as output comes; `line` gives the last line. */
  onLine?(line: () => string): void;
}

/** What a run is given. */
export interface JobStreams {
  readonly signal: AbortSignal;
  onOutput(stream: 'stdout' | 'stderr', chunk: Uint8Array): void;
}

/** How a run ended. */
export interface JobEnd extends Pick<SandboxOutput, 'ended' | 'exitCode'> {
  /** What the sandbox says of it: why it was not started, or what ended it. */
  readonly word?: string;
}

/** One run of a command, from its start to its end; its output can be read at any time. Never throws. */
export class Job {
  readonly id: string;
  readonly order: JobOrder;
  readonly output: JobOutput;
  /** Resolves when the tree of processes is gone. */
  readonly done: Promise<void>;
  readonly #clock: SteadyClock;
  readonly #begin: number;
  readonly #stop = new AbortController();
  readonly #news = new EventEmitter().setMaxListeners(0);
  #ended: { readonly state: JobState['state']; readonly exitCode: number | null; readonly at: number } | undefined;
  #fault: Failure | undefined;
  #isFlooding = false;
  #received = 0;

  constructor(id: string, path: string, order: JobOrder, clock: SteadyClock) {
    this.id = id;
    this.order = order;
    this.output = new JobOutput(path);
    this.#clock = clock;
    this.#begin = clock.steady();
    this.done = this.#run();
  }

  get state(): JobState {
    const { state = 'running', exitCode = null } = this.#ended ?? {};
    return { jobId: this.id, state, exitCode, outputBytes: this.output.total };
  }

  /** How long it has been running, or ran. */
  get seconds(): number {
    const until = this.#ended?.at ?? this.#clock.steady();
    return Math.round((until - this.#begin) / 100) / 10;
  }

  /** What kept it from being run, other than the sandbox: a full disk, for instance. */
  get fault(): Failure | undefined {
    return this.#fault;
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
      const end = await this.order.start({
        signal: this.#stop.signal,
        onOutput: (stream, chunk) => this.#receive(stream, chunk),
      });
      this.output.finish();
      if (end.word !== undefined) this.output.addLine(end.word);
      this.#end(end);
    } catch (thrown) {
      this.#fault = toFailure(thrown);
      this.output.addLine(this.#fault.message);
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

  #end({ ended, exitCode }: JobEnd): void {
    const states = {
      exit: 'exited',
      cancelled: 'stopped',
      'timed-out': 'timed-out',
      'not-started': 'not-started',
    } as const;
    const state = ended === 'cancelled' && this.#isFlooding ? 'output-limit' : states[ended];
    this.#ended = { state, exitCode, at: this.#clock.steady() };
    this.#news.emit('change');
  }
}
