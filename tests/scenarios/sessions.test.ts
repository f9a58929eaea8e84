import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Verification } from '@capstan/contracts';
import { openStorage, processHolder, type Storage } from '@capstan/storage';
import { SessionWorkspace } from '@capstan/workspace';
import { filesScenario, folderDigest, type Scenario } from './support/checkouts.ts';
import { installation, runCapstan } from './support/run-capstan.ts';

const hook = join(installation, 'packages', 'workspace', 'src', 'testing', 'kill-at-file-change.mjs');
/** More changes of names than an apply or undo makes. */
const mostChanges = 400;
const stride = process.env.CAPSTAN_KILL_SWEEP === 'all' ? 1 : 11;

interface Planted {
  readonly scenario: Scenario;
  readonly storage: Storage;
  /** Adds a session whose run has ended as done with these files in its workspace. */
  addSession(sessionId: string, task: string, files: Readonly<Record<string, string>>): Promise<void>;
  capstan(...args: string[]): ReturnType<typeof runCapstan>;
  /** The one JSON document that a command printed. */
  json(...args: string[]): Promise<Record<string, unknown>>;
}

/** Sessions are planted as a run leaves them; all that is under test goes through the real binary. */
function plant(t: TestContext): Planted {
  const scenario = filesScenario(t, { 'src/a.txt': 'one\n', 'old/b.txt': 'b\n', 'tool.sh': 'x\n' });
  const home = join(scenario.home, 'state');
  let count = 0;
  const ids = { next: (prefix: string) => `${prefix}-${count++}` };
  let time = Date.now() - 3_600_000;
  const storage = openStorage({ home, clock: { now: () => time++ }, ids, redact: (text) => text });
  t.after(() => storage.close());
  const capstan = (...args: string[]) => runCapstan(args, { home: scenario.home, currentFolder: scenario.checkout });
  return {
    scenario,
    storage,
    capstan,
    json: async (...args) => {
      const { exitCode, stdout, stderr } = await capstan(...args, '--json');
      assert.equal(exitCode, 0, stdout + stderr);
      assert.match(stdout, /^\{.*\}\n$/, 'one document');
      return JSON.parse(stdout);
    },
    addSession: async (sessionId, task, files) => {
      const session = await storage.createSession({ sessionId, repository: scenario.checkout });
      const folder = session.workspace;
      const searchPath = process.env.PATH ?? '';
      const workspace = await SessionWorkspace.open({ repository: scenario.checkout, folder, searchPath });
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(join(workspace.root, path, '..'), { recursive: true });
        writeFileSync(join(workspace.root, path), content);
      }
      rmSync(join(workspace.root, 'old'), { recursive: true });
      chmodSync(join(workspace.root, 'tool.sh'), 0o755);
      const lease = await storage.acquireLease(sessionId, 'test', 60_000);
      assert.ok(lease);
      const run = await storage.createRun(sessionId, taskOf(task, scenario.checkout), lease);
      await storage.session(lease).events.append('workspace-open', { type: 'workspace-open', baseTree: 'x', files: 1 });
      const paths = (await workspace.diff()).changes.map((change) => change.path);
      await storage.session(lease).events.append(`run-end:${run.runId}:1`, {
        type: 'run-end',
        runId: run.runId,
        sessionId,
        status: 'done',
        exitCode: 0,
        answer: '',
        verification: verified,
        usage: { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 },
        files: paths,
        applied: false,
      });
      await storage.updateRun(lease, run.runId, { status: 'ended', exitCode: 0, lives: 1 });
      await storage.releaseLease(lease);
    },
  };
}

const verified: Verification = {
  verdict: 'verified',
  before: [],
  after: [],
  fixed: [],
  broken: [],
  stillFailing: [],
  claims: [],
  reason: 'All checks pass.',
};

function taskOf(text: string, repository: string) {
  return {
    text,
    label: { integrity: 'user', secrecy: 'public', origin: 'task' },
    repository,
    planner: 'repair',
    apply: false,
    approvals: 'contained',
    budget: { steps: 60, modelRequests: 40, tokens: 1000, milliseconds: 60_000, failures: 3 },
  } as const;
}

test('X1 A6: sessions are listed, applied and taken back by short names, and each says what comes next', async (t) => {
  const { scenario, storage, addSession, capstan, json } = plant(t);
  await addSession('session-aaaa1111', '修复失败的测试', { 'src/a.txt': 'two\n', 'new/文件.txt': 'n\n' });
  await addSession('session-aaaa2222', 'make the tests pass', { 'other.txt': 'o\n' });
  const before = folderDigest(scenario.checkout);
  const listed = await capstan('sessions');
  assert.match(listed.stdout, /aaaa22 .* done .*make the tests pass\naaaa11 .* done .*修复失败的测试\n$/);
  const ambiguous = await capstan('diff', 'aaaa');
  assert.equal(ambiguous.exitCode, 2);
  assert.match(ambiguous.stderr, /2 sessions begin with aaaa\.\n.*session-aaaa2222, session-aaaa1111/);
  const next = async () => ((await json('sessions', 'aaaa1')).next as { command: string[] }[])[0]?.command[0];
  assert.equal(await next(), 'diff');
  assert.deepEqual((await json('apply', 'aaaa1')).outcome, 'applied');
  assert.equal(scenario.read('new/文件.txt'), 'n\n');
  assert.deepEqual([(await json('sessions', 'aaaa1')).state, await next()], ['applied', 'undo']);
  const undone = await json('undo', 'aaaa1');
  assert.deepEqual([undone.outcome, undone.files], ['undone', ['new/文件.txt', 'old/b.txt', 'src/a.txt', 'tool.sh']]);
  assert.equal(folderDigest(scenario.checkout), before);
  assert.deepEqual([(await json('sessions', 'aaaa1')).state, await next()], ['undone', 'diff']);
  assert.match((await capstan('undo', 'aaaa1')).stdout, /^Nothing to undo/);
  assert.equal((await json('apply', 'last')).session, 'session-aaaa2222');
  scenario.write('other.txt', 'mine\n');
  const refused = await capstan('undo', 'last');
  assert.equal(refused.exitCode, 3);
  assert.match(refused.stderr, /other\.txt\n {2}Nothing was touched\..*capstan undo session-aaaa2222/);
  assert.equal(scenario.read('other.txt'), 'mine\n');
  const types = (await storage.readEvents('session-aaaa1111')).map((row) => row.body.type);
  assert.deepEqual(types.slice(-2), ['diff-apply', 'diff-undo']);
  const audited = (await storage.readAudit({ sessionId: 'session-aaaa1111' })).map(({ tool, decision }) => [
    tool,
    decision,
  ]);
  assert.deepEqual(audited.slice(2, 4), [
    ['undo', 'allowed'],
    ['undo', 'undone'],
  ]);
  assert.equal((await json('audit', 'verify')).ok, true);
});

test('X1: a session is running while a live process has it, and broken off when that is gone', async (t) => {
  const { scenario, storage, capstan, json } = plant(t);
  await storage.createSession({ sessionId: 'session-b', repository: scenario.checkout });
  const lease = await storage.acquireLease('session-b', processHolder(), 600_000);
  assert.ok(lease);
  const run = await storage.createRun('session-b', taskOf('fix it', scenario.checkout), lease);
  await storage.updateRun(lease, run.runId, { status: 'running', lives: 1 });
  assert.equal((await json('sessions', 'last')).state, 'running');
  const busy = await capstan('undo', 'last', '--json');
  assert.deepEqual([busy.exitCode, JSON.parse(busy.stdout).code], [3, 'session-busy']);
  await storage.releaseLease(lease);
  const { state, next } = await json('sessions', 'last');
  assert.equal(state, 'broken off');
  assert.deepEqual((next as { command: string[] }[])[0]?.command, ['resume', 'session-b']);
});

test('X1: with --json every command that only reads prints one document', async (t) => {
  const { addSession, json } = plant(t);
  await addSession('session-c', 'fix it', { 'src/a.txt': 'two\n' });
  const commands = [
    'sessions',
    'sessions --all',
    'diff last',
    'trace last',
    'gc --dry-run',
    'config',
    'completion bash',
  ];
  for (const command of commands) assert.ok(await json(...command.split(' ')), command);
});

test('A6 F7: kill -9 in apply and undo: the state is true, and the next command settles it', async (t) => {
  const { scenario, addSession, capstan, json } = plant(t);
  await addSession('session-d', 'fix it', { 'src/a.txt': 'two\n', 'new/c.txt': 'c\n' });
  const before = folderDigest(scenario.checkout);
  await json('apply', 'last');
  const applied = folderDigest(scenario.checkout);
  await json('undo', 'last');
  let half = 0;
  for (const [command, start] of [
    ['apply', before],
    ['undo', applied],
  ] as const) {
    for (let at = 1; at < mostChanges; at += stride) {
      await json(start === before ? 'undo' : 'apply', 'last');
      assert.equal(folderDigest(scenario.checkout), start);
      const { signal } = await runCapstan([command, 'last'], {
        home: scenario.home,
        currentFolder: scenario.checkout,
        nodeArguments: ['--import', hook],
        environment: { KILL_AT: String(at) },
      });
      if (signal !== 'SIGKILL') break;
      const { state } = await json('sessions', 'last');
      if (state === 'applied') assert.equal(folderDigest(scenario.checkout), applied, `${command} ${at}`);
      else if (state === 'half applied') half += 1;
      else assert.equal(folderDigest(scenario.checkout), before, `${command} ${at}: ${String(state)}`);
    }
  }
  assert.ok(half > 0, 'some were killed half-way');
  assert.match((await capstan('undo', 'last')).stdout, /^(Taken back|Nothing to undo)/);
  assert.equal(folderDigest(scenario.checkout), before);
});
