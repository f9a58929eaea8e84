import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval, RunRow, SessionRow } from '@capstan/contracts';
import fc from 'fast-check';
import { nextSteps } from './next-steps.ts';
import { type SessionFacts, type SessionState, sessionStateOf } from './session-state.ts';

type End = NonNullable<SessionFacts['lastEnd']>;

const run = (status: RunRow['status']): RunRow => ({
  runId: 'run-1',
  sessionId: 'session-1',
  task: {
    text: 'fix it',
    label: { integrity: 'user', secrecy: 'public', origin: 'task' },
    repository: '/r',
    planner: 'repair',
    apply: false,
    approvals: 'contained',
    budget: { steps: 1, modelRequests: 1, tokens: 1, milliseconds: 1, failures: 1 },
  },
  status,
  lives: 1,
  exitCode: null,
  createdAt: 0,
});

const end = (status: End['status'], more: Partial<End> = {}): End => ({
  type: 'run-end',
  runId: 'run-1',
  sessionId: 'session-1',
  status,
  exitCode: 0,
  answer: '',
  usage: { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 },
  files: [],
  applied: false,
  ...more,
});

const failure = (code: string) => ({ level: 'fatal', code, message: 'Because.' }) as const;

const facts = (more: Partial<SessionFacts>): SessionFacts => ({
  isHeld: false,
  isArchived: false,
  lastRun: run('ended'),
  lastEnd: end('done'),
  lastChange: undefined,
  applyState: 'none',
  ...more,
});

test('X1: where a session stands is told from its process, its checkout and its last run', () => {
  const cases: [Partial<SessionFacts>, SessionState][] = [
    [{}, 'done'],
    [{ lastEnd: end('unsolved') }, 'unsolved'],
    [{ lastEnd: end('denied') }, 'denied'],
    [{ lastRun: run('waiting'), lastEnd: end('failed') }, 'failed'],
    [{ lastRun: run('waiting'), lastEnd: end('waiting') }, 'waiting'],
    [{ lastRun: run('waiting'), lastEnd: end('waiting', { failure: failure('stopped') }) }, 'stopped'],
    [{ lastRun: run('running'), lastEnd: undefined, isHeld: true }, 'running'],
    [{ lastRun: run('running'), lastEnd: undefined }, 'broken off'],
    [{ lastRun: run('queued'), lastEnd: undefined }, 'broken off'],
    [{ lastRun: run('running'), lastEnd: end('waiting') }, 'broken off'],
    [{ lastRun: undefined, lastEnd: undefined }, 'broken off'],
    [{ applyState: 'applied' }, 'applied'],
    [{ applyState: 'applied', lastEnd: end('unsolved') }, 'applied'],
    [{ applyState: 'undone', lastChange: 'diff-undo' }, 'undone'],
    [{ applyState: 'broken-off' }, 'half applied'],
    [{ lastChange: 'diff-apply' }, 'applied'],
    [{ lastEnd: end('done', { applied: true }) }, 'applied'],
    [{ isArchived: true, applyState: 'none' }, 'archived'],
  ];
  for (const [more, state] of cases) assert.equal(sessionStateOf(facts(more)), state, JSON.stringify(more));
});

test('X1: nothing half is called done or applied, and only a live process makes a session running', () => {
  const anyFacts = fc.record({
    isHeld: fc.boolean(),
    isArchived: fc.boolean(),
    lastRun: fc.option(fc.constantFrom(...(['queued', 'running', 'waiting', 'ended'] as const)).map(run), {
      nil: undefined,
    }),
    lastEnd: fc.option(
      fc.constantFrom(...(['done', 'unsolved', 'waiting', 'denied', 'failed'] as const)).map((status) => end(status)),
      { nil: undefined },
    ),
    lastChange: fc.constantFrom('diff-apply' as const, 'diff-undo' as const, undefined),
    applyState: fc.constantFrom(...(['none', 'applied', 'undone', 'broken-off'] as const)),
  });
  fc.assert(
    fc.property(anyFacts, (some) => {
      const state = sessionStateOf(some);
      assert.equal(state === 'running', some.isHeld);
      if (some.applyState === 'broken-off') assert.ok(!['done', 'applied', 'undone'].includes(state), state);
      if (some.lastRun?.status === 'running') assert.ok(!['done', 'unsolved', 'waiting'].includes(state), state);
    }),
  );
});

test('X1: every state but an end with nothing changed says what to do next, for that session', () => {
  const session: SessionRow = {
    sessionId: 'session-1',
    repository: '/r',
    workspace: '/w',
    createdAt: 0,
    status: 'open',
  };
  const question: Approval = {
    sessionId: 'session-1',
    callId: 'c',
    argumentDigest: 'd',
    tool: 'x__y',
    rule: 'r',
    summary: 's',
    status: 'waiting',
    requestedAt: 0,
    expiresAt: 1,
  };
  const steps = (
    state: SessionState,
    files: string[] = ['a.ts'],
    code?: string,
    waiting: Approval[] = [],
    verified = state !== 'unsolved',
  ) =>
    nextSteps({
      session,
      state,
      task: 'fix it',
      runs: [],
      files,
      verified,
      waiting,
      failure: code === undefined ? undefined : failure(code),
    }).map(({ command }) => command.join(' '));
  assert.deepEqual(steps('done'), ['diff session-1', 'apply session-1']);
  const unchecked = steps('done', ['a.ts'], undefined, [], false);
  assert.deepEqual(unchecked, ['diff session-1', 'apply session-1 --unverified']);
  assert.deepEqual(steps('waiting', ['a.ts'], 'not-verified', [], false), unchecked);
  assert.deepEqual(steps('undone', ['a.ts'], undefined, [], false), unchecked);
  assert.deepEqual(steps('done', []), []);
  assert.deepEqual(steps('unsolved'), ['diff session-1', 'apply session-1 --unverified']);
  assert.deepEqual(steps('unsolved', []), ['trace session-1']);
  assert.deepEqual(steps('waiting'), ['resume session-1']);
  const asked = steps('waiting', [], 'denied', [question]);
  assert.deepEqual(asked, ['approve session-1', 'resume session-1']);
  assert.deepEqual(steps('waiting', ['ci.yml'], 'held-for-review'), ['diff session-1', 'apply session-1 --reviewed']);
  assert.deepEqual(steps('waiting', ['a.ts'], 'checkout-moved'), ['diff session-1', 'apply session-1']);
  assert.deepEqual(steps('broken off'), ['resume session-1']);
  assert.deepEqual(steps('applied'), ['undo session-1']);
  assert.deepEqual(steps('undone'), ['diff session-1', 'apply session-1']);
  assert.deepEqual(steps('half applied'), ['undo session-1', 'apply session-1']);
});
