import { readdirSync, readFileSync } from 'node:fs';
import { JsonSchema } from '@capstan/contracts';
import { z } from 'zod';
import { SeededRandom } from '../mutants/seeded-random.ts';
import { callArguments, type Mood, moods } from './call-arguments.ts';
import { garbageFrame } from './garbage-frames.ts';
import { type Answer, type RawCommand, RawServer } from './raw-server.ts';

export interface FuzzOptions {
  readonly server: RawCommand;
  readonly seed: number;
  readonly calls: number;
  readonly inFlight: number;
  /** Texts that lead somewhere, such as the address of a server. */
  readonly texts: readonly string[];
  /** A text of files that no answer may show. */
  readonly canary: string;
  /** A call without an answer for so long counts as hanging. */
  readonly hangMilliseconds: number;
  readonly onProgress?: (done: number) => void;
}

/** What came of it; `faults` is empty when all is well. */
export interface FuzzReport {
  readonly calls: number;
  readonly garbage: number;
  /** Answers by kind: `ok`, `protocol-error`, or the code of the failure. */
  readonly answers: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  readonly exit: number | string;
  /** Open files of the process before the first and after the last call. */
  readonly handles: readonly [before: number, after: number];
  readonly residentMegabytes: readonly [before: number, after: number];
}

const ToolList = z.looseObject({ tools: z.array(z.looseObject({ name: z.string(), inputSchema: JsonSchema })) });
const CallResult = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.unknown()),
  structuredContent: z.unknown().optional(),
  _meta: z
    .looseObject({ 'capstan/failure': z.looseObject({ code: z.string(), level: z.string() }).optional() })
    .optional(),
});
const stackTrace = /\\n\s+at .{1,200}:\d+:\d+|node:internal\/|\(file:\/\/\//;
const shownFaults = 20;
/** Each lane begins with garbage; later on a call has some before it with a chance of one in so many. */
const garbageEvery = 20;
const endMilliseconds = 10_000;

/**
 * Calls a server's tools through its real process, with arguments of all moods and garbage in between. For a seed each lane
 * makes the same calls; how lanes mix depends on the server's speed.
 */
export async function fuzzServer(options: FuzzOptions): Promise<FuzzReport> {
  const run = new FuzzRun(options);
  await run.server.initialize();
  const tools = ToolList.parse(expectResult(await run.server.request('tools/list', {}))).tools;
  const before = measure(run.server.pid);
  await Promise.all(Array.from({ length: options.inFlight }, (_, lane) => run.lane(tools, lane)));
  const after = run.server.hasEnded ? before : measure(run.server.pid);
  if (run.server.hasEnded) run.fault(`the process ended: ${run.server.said}`);
  const exit = await run.server.end(endMilliseconds);
  if (exit !== 0) run.fault(`it exited with ${exit}`);
  return {
    calls: run.done,
    garbage: run.garbage,
    answers: Object.fromEntries([...run.answers].sort(([one], [other]) => one.localeCompare(other))),
    faults: run.faults,
    exit,
    handles: [before.handles, after.handles],
    residentMegabytes: [before.megabytes, after.megabytes],
  };
}

type ListedTool = z.infer<typeof ToolList>['tools'][number];

class FuzzRun {
  readonly server: RawServer;
  readonly answers = new Map<string, number>();
  readonly faults: string[] = [];
  done = 0;
  garbage = 0;
  readonly #options: FuzzOptions;
  #started = 0;

  constructor(options: FuzzOptions) {
    this.#options = options;
    this.server = new RawServer(options.server, (line) => this.#inspect(line));
  }

  /** One call after the other, until all lanes together have made as many as were asked for. */
  async lane(tools: readonly ListedTool[], lane: number): Promise<void> {
    const { seed, texts } = this.#options;
    const random = new SeededRandom(seed * 1000 + lane);
    let isFirst = true;
    while (this.#started < this.#options.calls && !this.server.hasEnded && this.faults.length < shownFaults) {
      this.#started += 1;
      if (isFirst || random.below(garbageEvery) === 0) {
        this.garbage += 1;
        await this.server.sendLine(garbageFrame(random));
        isFirst = false;
      }
      const mood = random.pick(moods);
      const tool = random.pick(tools);
      await this.#call(tool, mood, callArguments(tool.inputSchema, mood, { random, texts }));
    }
  }

  fault(text: string): void {
    if (this.faults.length < shownFaults) this.faults.push(text);
  }

  async #call({ name }: ListedTool, mood: Mood, input: unknown): Promise<void> {
    const shown = `${name} (${mood}) ${JSON.stringify(input)?.slice(0, 300)}`;
    const answer = await this.#withinTime(this.server.request('tools/call', { name, arguments: input }));
    if (answer === 'hangs') this.fault(`no answer to ${shown}`);
    if (typeof answer === 'string') return;
    this.done += 1;
    this.#options.onProgress?.(this.done);
    this.#count(answer, shown);
  }

  async #withinTime(answer: Promise<Answer | 'ended'>): Promise<Answer | 'ended' | 'hangs'> {
    const late = Promise.withResolvers<'hangs'>();
    const timer = setTimeout(() => late.resolve('hangs'), this.#options.hangMilliseconds);
    const first = await Promise.race([answer, late.promise]);
    clearTimeout(timer);
    return first;
  }

  #count(answer: Answer, shown: string): void {
    const kind = answer.error === undefined ? this.#judge(answer.result, shown) : 'protocol-error';
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
  }

  /** Which kind of result it is; what no result may be is a fault. */
  #judge(answered: unknown, shown: string): string {
    const result = CallResult.safeParse(answered);
    if (!result.success) {
      this.fault(`an answer that is no result to ${shown}`);
      return 'no-result';
    }
    const { isError, structuredContent, content, _meta: meta } = result.data;
    if (isError !== true) {
      if (structuredContent === undefined) this.fault(`no structured content for ${shown}`);
      return 'ok';
    }
    const code = meta?.['capstan/failure']?.code ?? 'no-level';
    if (code === 'no-level' || code === 'internal')
      this.fault(`${code} for ${shown}: ${JSON.stringify(content).slice(0, 300)}`);
    return code;
  }

  #inspect(line: string): void {
    if (stackTrace.test(line)) this.fault(`a stack trace: ${line.slice(0, 500)}`);
    if (line.includes(this.#options.canary)) this.fault(`content from outside or of secrets: ${line.slice(0, 500)}`);
  }
}

function expectResult(answer: Answer | 'ended'): unknown {
  if (answer === 'ended' || answer.result === undefined)
    throw new Error(`the server lists no tools: ${JSON.stringify(answer)}`);
  return answer.result;
}

function measure(pid: number): { readonly handles: number; readonly megabytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { handles: readdirSync(`/proc/${pid}/fd`).length, megabytes: Math.round(kilobytes / 1024) };
}
