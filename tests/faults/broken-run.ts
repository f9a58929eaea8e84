import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { type ScriptedModel, startScriptedModel } from '@capstan/models';
import { filesScenario, type Scenario } from '../scenarios/support/checkouts.ts';
import {
  type Finished,
  installation,
  lastEvent,
  type RunOptions,
  runCapstan,
} from '../scenarios/support/run-capstan.ts';
import { sumRepository } from './sum-repository.ts';

/** What can be counted from outside after a run, however many processes it took. */
export interface Account {
  readonly exitCode: number | null;
  readonly diff: string;
  readonly modelRequests: number;
  readonly checkRuns: number;
  readonly eventTypes: readonly string[];
}

/** One run on the small repository that a test may break off and resume. */
export interface BrokenRun {
  readonly scenario: Scenario;
  start(options?: Partial<RunOptions>): Promise<Finished>;
  resume(options?: Partial<RunOptions>): Promise<Finished>;
  account(last: Finished): Account;
  /** The session that was made; undefined before there is one. */
  sessionId(): string | undefined;
  /** Identity of the edited file in the workspace: a second write would change it. */
  editedFile(): string | undefined;
  stop(): Promise<void>;
}

/** Prepares a run with the planner; with `model`, a scripted model process that counts requests is started too. */
export async function prepareRun(
  t: TestContext,
  planner: 'model' | 'repair',
  testMilliseconds = 0,
): Promise<BrokenRun> {
  const scenario = filesScenario(t, sumRepository(testMilliseconds));
  const ledger = join(scenario.base, 'requests.jsonl');
  const script = join(installation, 'tests', 'faults', 'fix-sum.mjs');
  const model: ScriptedModel | undefined =
    planner === 'model' ? await startScriptedModel({ script, ledger }) : undefined;
  const stop = async () => model?.stop();
  t.after(stop);
  const environment = model ? { OPENAI_BASE_URL: model.url } : {};
  const database = join(scenario.home, 'state', 'capstan.db');
  const sessionId = () => (existsSync(database) ? readSessionId(database) : undefined);
  const tree = () => join(scenario.home, 'state', 'worktrees', sessionId() ?? '', 'tree');
  const capstan = (args: readonly string[], options: Partial<RunOptions> = {}) =>
    runCapstan(args, { home: scenario.home, ...options, environment: { ...environment, ...options.environment } });
  const modelFlags = model ? ['--model', 'scripted'] : [];
  return {
    scenario,
    sessionId,
    stop,
    start: (options) =>
      capstan(['run', '--repo', scenario.checkout, ...modelFlags, '--json', 'make the failing tests pass'], options),
    resume: (options) => capstan(['resume', '--json', sessionId() ?? 'none'], options),
    editedFile: () => identity(join(tree(), 'src', 'sum.mjs')),
    account: (last) => ({
      exitCode: last.exitCode,
      diff: String(lastEvent(last, 'diff-ready').diff),
      modelRequests: model?.requests().length ?? 0,
      checkRuns: readFileSync(join(tree(), 'runs.log'), 'utf8').split('\n').length - 1,
      eventTypes: last.events.map((event) => event.type).filter((type) => type !== 'run-resume'),
    }),
  };
}

/** The account of a run that nothing breaks off; it ends done, or the test fails. */
export async function accountOf(t: TestContext, planner: 'model' | 'repair'): Promise<Account> {
  const run = await prepareRun(t, planner);
  const finished = await run.start();
  assert.equal(finished.exitCode, 0, finished.stdout.slice(-2000) + finished.stderr);
  const account = run.account(finished);
  await run.stop();
  return account;
}

function readSessionId(file: string): string | undefined {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database.prepare('SELECT session_id FROM sessions').get();
    return row === undefined ? undefined : String(row.session_id);
  } catch {
    return undefined; // Killed before the tables were made.
  } finally {
    database.close();
  }
}

function identity(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { ino, mtimeMs } = statSync(path);
  return `${ino}:${mtimeMs}:${readFileSync(path, 'utf8')}`;
}
