import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody } from '@capstan/contracts';
import { describeEvent } from './describe-event.ts';
import { printable } from './printable.ts';
import { createStyle } from './style.ts';

const plain = createStyle(false);
const lines = (body: EventBody) =>
  describeEvent({ sessionId: 'session-1', number: 1, at: 0, body }, plain, 'bin/capstan');
const label = { integrity: 'workspace', secrecy: 'public', origin: 'test' } as const;

const end: Extract<EventBody, { type: 'run-end' }> = {
  type: 'run-end',
  runId: 'run-1',
  sessionId: 'session-1',
  status: 'done',
  exitCode: 0,
  answer: '',
  usage: { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 },
  files: [],
  applied: false,
};
const verification = {
  verdict: 'verified',
  before: [],
  after: [],
  fixed: [],
  broken: [],
  stillFailing: [],
  claims: [],
  reason: 'All checks pass.',
} as const;

test('the plan is shown whole once, then by its present step', () => {
  const steps = (...statuses: ('open' | 'current' | 'done')[]) =>
    statuses.map((status, at) => ({ title: `step ${at}`, status }));
  assert.deepEqual(lines({ type: 'plan-update', planner: 'p', steps: steps('current', 'open') }), [
    'Plan (p)',
    '  1. step 0',
    '  2. step 1',
  ]);
  assert.deepEqual(lines({ type: 'plan-update', planner: 'p', steps: steps('done', 'current') }), [
    'Step 2 of 2: step 1',
  ]);
  assert.deepEqual(lines({ type: 'plan-update', planner: 'p', steps: steps('done', 'done') }), []);
});

test('a diff that changes something says how to apply it; nothing changed, nothing to apply', () => {
  const withFiles = {
    ...end,
    verification: { ...verification, before: [], after: [], fixed: [], broken: [], stillFailing: [], claims: [] },
    files: ['a.ts'],
  };
  assert.ok(lines(withFiles).includes('  Apply it:  bin/capstan apply session-1'));
  assert.ok(!lines({ ...withFiles, files: [] }).some((line) => line.includes('Apply')));
  const applied = lines({ ...withFiles, applied: true });
  assert.ok(!applied.some((line) => line.includes('Apply it')));
  assert.ok(applied.includes('  Take it back:  bin/capstan undo session-1'));
});

test('A4: a claim that no call supports is pointed out', () => {
  const claims = [
    { sentence: 'I ran the tests.', supported: false },
    { sentence: 'I edited a.ts.', supported: true },
  ];
  const shown = lines({
    ...end,
    status: 'unsolved',
    verification: { ...verification, before: [], after: [], fixed: [], broken: [], stillFailing: [], claims },
  });
  assert.equal(shown.filter((line) => line.includes('No tool call did')).length, 1);
});

test('A12: a question is shown in full, and its tool once', () => {
  const asked = {
    type: 'approval-request',
    callId: 'c',
    argumentDigest: 'd',
    tool: 'x__y',
    rule: 'strict-write',
  } as const;
  assert.deepEqual(lines({ ...asked, summary: 'x__y\n{"a":1}\n+new' }), [
    '  approval   x__y (rule strict-write)',
    '    {"a":1}',
    '    +new',
  ]);
  assert.deepEqual(lines({ ...asked, summary: '3 attempts failed.' })[1], '    3 attempts failed.');
});

test('T3: control characters of tools, models and files never reach the terminal', () => {
  const hostile = 'a\u001b]0;title\u0007b\u001b[2Jc\u009b31md\u202ee\r\u0008';
  const result = { content: [{ type: 'text', text: hostile }], isError: false, label };
  const bodies: EventBody[] = [
    { type: 'tool-result', callId: 'c', outcome: { kind: 'result', callId: 'c', result }, durationMs: 1 },
    { type: 'tool-call', call: { id: 'c', name: 'x__y', arguments: { [hostile]: hostile }, taint: 'unknown' } },
    {
      type: 'model-answer',
      answer: { text: hostile, calls: [], malformed: [], usage: { promptTokens: 0, completionTokens: 0 } },
    },
    { type: 'diff-ready', files: [hostile], diff: `+${hostile}\n`, held: [hostile] },
    { ...end, answer: hostile, files: ['x'] },
    { type: 'attempt-fail', attempt: 1, reason: hostile },
    { type: 'approval-request', callId: 'c', argumentDigest: 'd', tool: hostile, rule: hostile, summary: hostile },
    { type: 'approval-answer', callId: 'c', approved: true, by: hostile },
  ];
  for (const body of bodies) {
    const shown = lines(body).join('\n');
    assert.equal(shown, printable(shown), body.type);
  }
});

test('X1: the hint of a failure names the program as it was called', () => {
  const failure = { level: 'fatal', code: 'stopped', message: 'Stopped.', hint: 'Go on: capstan resume s' } as const;
  const shown = lines({ ...end, status: 'waiting', failure });
  assert.ok(shown.includes('  Go on: bin/capstan resume s'), shown.join('\n'));
});
