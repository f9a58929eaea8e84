import type {
  CallContext,
  CallOutcome,
  Failure,
  TestCase,
  ToolCall,
  ToolDefinition,
  ToolGateway,
  ToolResult,
} from '@capstan/contracts';
import { digestOf } from '../digest.ts';
import type { MemoryStorage } from './memory-storage.ts';
import type { MemoryWorkspace } from './memory-workspace.ts';

/** A test of the repository in memory: passes when the function says so for the module that it names. */
export interface MemoryTest {
  readonly id: string;
  readonly file: string;
  passes(module: Record<string, (...values: number[]) => unknown>): boolean;
}

const label = { integrity: 'workspace', secrecy: 'public', origin: 'memory' } as const;

type Handler = (args: Record<string, unknown>) => Promise<{ text: string; structured: unknown } | { failure: Failure }>;

/**
 * A gateway over a workspace in memory. Its tools do their work: files are read and edited, tests really run on the
 * present text, and patches are made by swapping operators and tried on a copy. It keeps a journal of calls, and asks
 * the approval ledger for the tools in `asks`.
 */
export class MemoryGateway implements ToolGateway {
  /** Ids of calls whose effect took place, once per time. */
  readonly effects: string[] = [];
  readonly asks = new Set<string>();
  readonly failures = new Map<string, CallOutcome[]>();
  readonly #done = new Map<string, { digest: string; result: ToolResult }>();
  readonly #handlers: Readonly<Record<string, Handler>>;
  readonly storage: MemoryStorage;
  readonly workspace: MemoryWorkspace;
  readonly tests: readonly MemoryTest[];
  hasTests = true;
  /** The suite runs only while this file holds this command; without it a check passes and reports no tests. */
  testRunner: { file: string; command: string } | undefined;
  /** What the test suite does to the workspace while it runs. */
  litter: (files: Record<string, string>) => Record<string, string> = (files) => files;

  constructor(storage: MemoryStorage, workspace: MemoryWorkspace, tests: readonly MemoryTest[]) {
    this.storage = storage;
    this.workspace = workspace;
    this.tests = tests;
    this.#handlers = {
      exec__list_checks: async () => this.#listChecks(),
      exec__run_check: async () => this.#runCheck(),
      'fs-read__read_files': async (args) => this.#read(args),
      'fs-write__edit_files': async (args) => this.#edit(args),
      repair__localise_fault: async () => this.#localise(),
      repair__propose_patches: async () => this.#propose(),
      repair__validate_patch: async () => this.#validate(),
    };
  }

  async listTools(context: Pick<CallContext, 'tools'>): Promise<ToolDefinition[]> {
    return Object.keys(this.#handlers)
      .filter((name) => context.tools.includes(name))
      .map((name) => {
        const [server = '', tool = ''] = name.split('__');
        return {
          name,
          server,
          tool,
          description: `The tool ${tool}.`,
          inputSchema: { type: 'object' },
          tier: 'write',
          annotations: {},
        };
      });
  }

  async callTool(call: ToolCall, context: CallContext): Promise<CallOutcome> {
    const callId = call.id;
    const digest = digestOf([call.name, call.arguments]);
    const done = this.#done.get(callId);
    if (done !== undefined) {
      if (done.digest === digest) return { kind: 'result', callId, result: done.result };
      return { kind: 'unknown-outcome', callId, argumentDigest: digest, summary: 'other arguments' };
    }
    const planned = this.failures.get(call.name)?.shift();
    if (planned !== undefined) return { ...planned, callId };
    const handler = this.#handlers[call.name];
    if (handler === undefined || !context.tools.includes(call.name)) {
      const failure: Failure = { level: 'param', code: 'usage', message: `no tool ${call.name}` };
      return { kind: 'denied', callId, stage: 'resolve', rule: 'unknown-tool', failure };
    }
    if (this.asks.has(call.name) && !(await this.storage.approvals.consume(callId, digest))) {
      return this.#ask(call, digest);
    }
    const reply = await handler(call.arguments);
    this.effects.push(callId);
    const result = toResult(reply);
    this.#done.set(callId, { digest, result });
    return { kind: 'result', callId, result };
  }

  async #ask(call: ToolCall, argumentDigest: string): Promise<CallOutcome> {
    const summary = `${call.name} ${JSON.stringify(call.arguments)}`;
    const { id: callId, name: tool } = call;
    const rule = 'asks';
    await this.storage.approvals.request({ callId, argumentDigest, tool, rule, summary, expiresAt: 1e15 });
    return { kind: 'approval-required', callId, argumentDigest, rule, summary };
  }

  async #listChecks() {
    const check = { id: 'npm:test', kind: 'test', framework: 'node-test', argv: ['npm', 'test'] };
    const checks = this.hasTests ? [{ ...check, directory: '.', source: 'package.json scripts.test' }] : [];
    return { text: `${checks.length} checks`, structured: { checks } };
  }

  async #runCheck() {
    const { testRunner } = this;
    const isStarted =
      testRunner === undefined || this.workspace.files[testRunner.file]?.includes(testRunner.command) === true;
    const tests = isStarted ? await this.#runTests(this.workspace.files) : [];
    this.workspace.files = this.litter(this.workspace.files);
    const count = (status: string) => tests.filter((test) => test.status === status).length;
    const failed = count('failed');
    const report = {
      checkId: 'npm:test',
      outcome: failed === 0 ? 'passed' : 'failed',
      exitCode: failed === 0 ? 0 : 1,
      passed: count('passed'),
      failed,
      skipped: 0,
      tests,
      durationMs: 5,
    };
    return { text: `${report.passed} passed, ${failed} failed in 5 ms`, structured: { report } };
  }

  async #runTests(files: Record<string, string>): Promise<TestCase[]> {
    return Promise.all(
      this.tests.map(async ({ id, file, passes }) => {
        const text = files[file] ?? '';
        const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
        const status = passes(module) ? ('passed' as const) : ('failed' as const);
        return { id, name: id, file: `test/${id}.mjs`, status };
      }),
    );
  }

  async #read(args: Record<string, unknown>): Promise<Awaited<ReturnType<Handler>>> {
    const paths = (args.files as { path: string }[]).map((file) => file.path);
    const missing = paths.find((path) => this.workspace.files[path] === undefined);
    if (missing !== undefined) {
      return { failure: { level: 'param', code: 'usage', message: `There is no file ${missing}.` } };
    }
    const files = paths.map((path) => ({ path, text: this.workspace.files[path] }));
    return { text: files.map(({ path, text }) => `${path}:\n${text}`).join('\n'), structured: { files } };
  }

  async #edit(args: Record<string, unknown>): Promise<Awaited<ReturnType<Handler>>> {
    const next = { ...this.workspace.files };
    for (const edit of args.edits as { path: string; oldText: string; newText: string }[]) {
      const text = next[edit.path];
      if (text === undefined || !text.includes(edit.oldText)) {
        return { failure: { level: 'param', code: 'usage', message: `"${edit.oldText}" is not in ${edit.path}.` } };
      }
      next[edit.path] = text.replace(edit.oldText, edit.newText);
    }
    this.workspace.files = next;
    return { text: 'edited', structured: { files: Object.keys(next) } };
  }

  async #localise() {
    const tests = await this.#runTests(this.workspace.files);
    const failing = tests.filter((test) => test.status === 'failed').map((test) => test.id);
    return {
      text: `${failing.length} failing`,
      structured: {
        localisationId: digestOf(this.workspace.files),
        failing,
        unstable: [],
        passing: tests.length - failing.length,
      },
    };
  }

  async #propose() {
    const patches = this.#candidates();
    return { text: `${patches.length} patches`, structured: { proposalId: digestOf(patches), count: patches.length } };
  }

  /** Every swap of one arithmetic operator for another, on one line of one file. */
  #candidates() {
    return Object.entries(this.workspace.files).flatMap(([path, text]) =>
      text.split('\n').flatMap((oldText, index) =>
        ['+', '-', '*'].flatMap((from) =>
          ['+', '-', '*'].flatMap((to) => {
            const newText = oldText.replace(` ${from} `, ` ${to} `);
            return newText === oldText ? [] : [{ path, line: index + 1, oldText, newText }];
          }),
        ),
      ),
    );
  }

  async #validate() {
    const before = await this.#failingWith(this.workspace.files);
    const edits = this.#candidates();
    const judged = await Promise.all(
      edits.map(async (edit) => {
        const text = this.workspace.files[edit.path] ?? '';
        const after = await this.#failingWith({
          ...this.workspace.files,
          [edit.path]: text.replace(edit.oldText, edit.newText),
        });
        const fixes = before.filter((id) => !after.includes(id));
        return { edit, fixes, breaks: after.some((id) => !before.includes(id)) };
      }),
    );
    const plausible = judged
      .filter(({ fixes, breaks }) => fixes.length > 0 && !breaks)
      .sort((first, second) => second.fixes.length - first.fixes.length)
      .map(({ edit, fixes }, index) => ({
        patchId: digestOf(edit).slice(0, 12),
        rank: index + 1,
        group: 1,
        diff: `-${edit.oldText}\n+${edit.newText}`,
        edits: [edit],
        fixes,
        reason: 'swaps an operator',
      }));
    return { text: `${plausible.length} plausible`, structured: { tried: edits.length, plausible, exhausted: true } };
  }

  async #failingWith(files: Record<string, string>): Promise<string[]> {
    const tests = await this.#runTests(files);
    return tests.filter((test) => test.status === 'failed').map((test) => test.id);
  }
}

function toResult(reply: Awaited<ReturnType<Handler>>): ToolResult {
  if ('failure' in reply) {
    return { content: [{ type: 'text', text: reply.failure.message }], isError: true, failure: reply.failure, label };
  }
  return { content: [{ type: 'text', text: reply.text }], structured: reply.structured, isError: false, label };
}
