import type { EventBody, EventRow, RunStatus } from '@capstan/contracts';

const usage = { promptTokens: 10, completionTokens: 5 };
const label = { integrity: 'external', secrecy: 'public', origin: 'test' } as const;
const question = { argumentDigest: 'digest', tool: 'fs-write__edit_files', rule: 'strict-write', summary: 'edit a.ts' };

/** Bodies of events with what matters to a trace filled in. */
export const bodies = {
  start: (runId = 'run-1'): EventBody => ({
    type: 'run-start',
    runId,
    task: {
      text: 'make the tests pass',
      label: { ...label, integrity: 'user' },
      repository: '/repository',
      planner: 'repair',
      apply: false,
      approvals: 'contained',
      budget: { steps: 60, modelRequests: 40, tokens: 1000, milliseconds: 1000, failures: 3 },
    },
  }),
  resume: (life: number): EventBody => ({ type: 'run-resume', runId: 'run-1', life }),
  workspace: (): EventBody => ({ type: 'workspace-open', baseTree: 'tree', files: 3 }),
  progress: (): EventBody => ({ type: 'workspace-progress', phase: 'reading', files: 1_000 }),
  dependencies: (): EventBody => ({
    type: 'dependencies-ready',
    folders: [{ path: 'node_modules', way: 'overlay' }],
    detail: '',
  }),
  checks: (): EventBody => ({ type: 'checks-choose', chosen: ['npm:test'], left: ['npm:lint'] }),
  sandbox: (): EventBody => ({ type: 'sandbox-ready', containment: 'bubblewrap', detail: 'private root' }),
  enter: (node: string, step: number): EventBody => ({ type: 'node-enter', node, step }),
  plan: (): EventBody => ({ type: 'plan-update', planner: 'p', steps: [{ title: 'Propose', status: 'current' }] }),
  request: (): EventBody => ({ type: 'model-request', model: 'm', digest: 'd', messages: 2 }),
  answer: (): EventBody => ({ type: 'model-answer', answer: { text: 'Yes.', calls: [], malformed: [], usage } }),
  message: (): EventBody => ({ type: 'message-add', message: { role: 'user', text: 'hello' } }),
  call: (id: string): EventBody => ({
    type: 'tool-call',
    call: { id, name: 'exec__run_check', arguments: { checkId: 'npm:test' }, taint: 'clean' },
  }),
  snapshot: (callId: string): EventBody => ({ type: 'workspace-snapshot', callId, tree: 'tree' }),
  result: (callId: string, durationMs: number, isError = false): EventBody => ({
    type: 'tool-result',
    callId,
    outcome: { kind: 'result', callId, result: { content: [{ type: 'text', text: 'ran' }], isError, label } },
    durationMs,
  }),
  ask: (callId: string): EventBody => ({ type: 'approval-request', callId, ...question }),
  reply: (callId: string, approved = true): EventBody => ({ type: 'approval-answer', callId, approved, by: 'ada' }),
  taint: (callId: string): EventBody => ({ type: 'taint-rise', callId, label }),
  report: (): EventBody => ({
    type: 'check-report',
    phase: 'before',
    report: {
      checkId: 'npm:test',
      outcome: 'failed',
      exitCode: 1,
      passed: 1,
      failed: 2,
      skipped: 0,
      tests: [],
      durationMs: 5,
    },
  }),
  fail: (): EventBody => ({ type: 'attempt-fail', attempt: 1, reason: 'two tests fail' }),
  verdict: (): EventBody => ({
    type: 'verification',
    verification: {
      verdict: 'verified',
      before: [],
      after: [],
      fixed: [],
      broken: [],
      stillFailing: [],
      claims: [],
      reason: 'All checks pass.',
    },
  }),
  diff: (): EventBody => ({ type: 'diff-ready', files: ['a.ts'], diff: '+1\n', held: [] }),
  apply: (): EventBody => ({ type: 'diff-apply', files: ['a.ts'] }),
  end: (status: RunStatus, code?: string): EventBody => ({
    type: 'run-end',
    runId: 'run-1',
    sessionId: 'session-1',
    status,
    exitCode: 0,
    answer: '',
    ...(code === undefined ? {} : { failure: { level: 'fatal', code, message: 'a person has to decide' } }),
    usage: { ...usage, modelRequests: 0, toolCalls: 0 },
    files: [],
    applied: false,
  }),
  later: (): EventBody => ({ type: 'of-a-later-version' }) as unknown as EventBody,
};

/** Rows of one session, numbered from 1, from pairs of time and body. */
export function rowsOf(...entries: readonly (readonly [at: number, body: EventBody])[]): EventRow[] {
  return entries.map(([at, body], index) => ({ sessionId: 'session-1', number: index + 1, at, body }));
}
