import { type ChatModel, type ModelAnswer, type ModelRequest, Task } from '@capstan/contracts';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import type { AgentDeps } from '../agent-deps.ts';
import { type RunOutcome, runGraph } from '../run-graph.ts';
import { MemoryGateway, type MemoryTest } from './memory-gateway.ts';
import { CrashError, MemoryStorage } from './memory-storage.ts';
import { MemoryWorkspace } from './memory-workspace.ts';

export const brokenFiles = {
  'src/sum.mjs': 'export const sum = (a, b) => a - b;\n',
  'src/area.mjs': 'export const area = (a, b) => a + b;\nexport const twice = (a) => a * 2;\n',
};

const tests: MemoryTest[] = [
  { id: 'sum adds', file: 'src/sum.mjs', passes: (module) => module.sum?.(2, 3) === 5 },
  { id: 'area multiplies', file: 'src/area.mjs', passes: (module) => module.area?.(3, 4) === 12 },
  { id: 'twice doubles', file: 'src/area.mjs', passes: (module) => module.twice?.(4) === 8 },
];

/** A chat model in this process, for what the wire has no part in. Counts the requests that reach it. */
export class MemoryModel implements ChatModel {
  readonly name = 'memory';
  readonly requests: ModelRequest[] = [];
  readonly #next: (request: ModelRequest, turn: number) => Partial<ModelAnswer>;

  constructor(next: (request: ModelRequest, turn: number) => Partial<ModelAnswer>) {
    this.#next = next;
  }

  async request(request: ModelRequest): Promise<ModelAnswer> {
    this.requests.push(structuredClone({ messages: request.messages, tools: request.tools }));
    const turn = request.messages.filter((message) => message.role === 'assistant').length;
    const usage = { promptTokens: 100, completionTokens: 10 };
    return { text: '', calls: [], malformed: [], usage, ...this.#next(request, turn) };
  }
}

export function makeTask(planner: 'model' | 'repair', text: string, budget: Partial<Task['budget']> = {}): Task {
  return Task.parse({
    text,
    label: { integrity: 'user', secrecy: 'public', origin: 'task' },
    repository: '/repository',
    planner,
    apply: false,
    budget,
  });
}

/** One session in memory, and the means to drive its run. */
export class RunFixture {
  readonly storage = new MemoryStorage();
  readonly checkpointer = new MemorySaver();
  readonly workspace: MemoryWorkspace;
  readonly gateway: MemoryGateway;
  readonly task: Task;
  readonly model: ChatModel | undefined;
  now = 1_000;
  /** True: a node threw, and the process lived on; false: the process was killed there. */
  keepsErrorWrites = false;
  /** How retries wait; undefined: as they really do. */
  pause: AgentDeps['pause'] | undefined = async () => {};

  constructor(options: { task: Task; model?: ChatModel; files?: Record<string, string>; tests?: MemoryTest[] }) {
    this.workspace = new MemoryWorkspace(options.files ?? brokenFiles);
    this.gateway = new MemoryGateway(this.storage, this.workspace, options.tests ?? tests);
    this.task = options.task;
    this.model = options.model;
  }

  drive(signal?: AbortSignal): Promise<RunOutcome> {
    const { storage: session, checkpointer, workspace, gateway, task, model, pause } = this;
    const clock = { now: () => this.now, steady: () => this.now };
    const deps = {
      session,
      checkpointer,
      workspace,
      gateway,
      clock,
      random: () => 0,
      ...(pause === undefined ? {} : { pause }),
      ...(model === undefined ? {} : { model }),
      ...(signal === undefined ? {} : { signal }),
    };
    return runGraph(deps, { runId: 'run-1', sessionId: 'session-1', task, actor: 'tester' });
  }

  /**
   * Drives the run again after each crash, as a new process would: from the checkpoints as they were at that moment.
   * What LangGraph writes when a node throws is thrown away, because a process that was killed would not have written it.
   */
  async driveThroughCrashes(): Promise<RunOutcome> {
    for (;;) {
      let kept: Pick<MemorySaver, 'storage' | 'writes'> | undefined;
      this.storage.events.onCrash = () => {
        kept = structuredClone({ storage: this.checkpointer.storage, writes: this.checkpointer.writes });
      };
      try {
        return await this.drive();
      } catch (thrown) {
        if (!(thrown instanceof CrashError) || kept === undefined) throw thrown;
        if (this.keepsErrorWrites) continue;
        this.checkpointer.storage = kept.storage;
        this.checkpointer.writes = kept.writes;
      }
    }
  }
}

export function ended(outcome: RunOutcome): Extract<RunOutcome, { kind: 'ended' }> {
  if (outcome.kind !== 'ended') throw new Error(`waiting: ${JSON.stringify(outcome.waiting)}`);
  return outcome;
}

export function waiting(outcome: RunOutcome): Extract<RunOutcome, { kind: 'waiting' }> {
  if (outcome.kind !== 'waiting') throw new Error(`ended: ${outcome.status} ${outcome.answer}`);
  return outcome;
}
