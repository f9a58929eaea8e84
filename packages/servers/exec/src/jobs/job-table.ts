import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SteadyClock } from '@capstan/contracts';
import { createBoundedQueue } from '@capstan/resilience';
import { Job, type JobOrder } from './job.ts';

/** Calls that start something: so many run at once, so many more may wait, the rest is refused. */
export const calls = { atOnce: 4, waiting: 32 } as const;
/** Runs in the background; more are refused until one ends. */
export const mostInBackground = 8;
/** Of so many ended runs the output can still be read. */
const keptEnded = 20;
const folderName = 'jobs';

/** The runs of this server: how many there may be, and what is left of them. They end with the process. */
export class JobTable {
  readonly #folder: string;
  readonly #clock: SteadyClock;
  readonly #admitted = createBoundedQueue({ concurrency: calls.atOnce + calls.waiting, waiting: 0 });
  readonly #running = createBoundedQueue({ concurrency: calls.atOnce, waiting: calls.waiting });
  readonly #jobs = new Map<string, Job>();
  readonly #background = new Set<Job>();
  #count = 0;

  private constructor(folder: string, clock: SteadyClock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Removes the outputs of a server before, whose runs ended with it. */
  static async open(state: string, clock: SteadyClock): Promise<JobTable> {
    const folder = join(state, folderName);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new JobTable(folder, clock);
  }

  /** Newest last. */
  get all(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** Starts a run and does not wait for it; undefined where too many are running. */
  start(order: JobOrder): Job | undefined {
    if (this.#background.size >= mostInBackground) return undefined;
    const job = this.#create(order);
    this.#background.add(job);
    void job.done.then(() => this.#background.delete(job));
    return job;
  }

  /** Lets a call that starts something in; undefined where too many are being served. */
  async admit<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    const answer = await this.#admitted.run(work);
    return answer.accepted ? answer.value : undefined;
  }

  /** Runs to the end when it is its turn, or until the signal ends it. Undefined where it was cancelled before. */
  async run(order: JobOrder, signal: AbortSignal): Promise<Job | undefined> {
    try {
      const answer = await this.#running.run(() => this.#runUntil(order, signal), signal);
      return answer.accepted ? answer.value : undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  async #runUntil(order: JobOrder, signal: AbortSignal): Promise<Job> {
    const job = this.#create(order);
    const stop = (): void => job.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await job.done;
    signal.removeEventListener('abort', stop);
    return job;
  }

  #create(order: JobOrder): Job {
    this.#count += 1;
    const id = `job-${this.#count}`;
    const job = new Job(id, join(this.#folder, id), order, this.#clock);
    this.#jobs.set(id, job);
    this.#forgetOldest();
    return job;
  }

  #forgetOldest(): void {
    const ended = this.all.filter((job) => !job.isRunning);
    for (const job of ended.slice(0, Math.max(0, ended.length - keptEnded))) {
      this.#jobs.delete(job.id);
      job.output.remove();
    }
  }
}
