import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody, EventRow } from '@capstan/contracts';
import { runDeadline } from './run-deadline.ts';
import { makeTask } from './testing/run-fixture.ts';

const start: EventBody = { type: 'run-start', runId: 'run-1', task: makeTask('repair', 'Fix the tests') };
const question = { argumentDigest: 'd', tool: 't', rule: 'r', summary: 's' };

function rows(...entries: [number, EventBody][]): EventRow[] {
  return entries.map(([at, body], index) => ({ sessionId: 'session-1', number: index + 1, at, body }));
}

test('A8: the time of a run counts from its start', () => {
  assert.equal(runDeadline(rows([500, start]), { milliseconds: 1_000 }), 1_500);
  assert.equal(runDeadline([], { milliseconds: 1_000 }), undefined);
});

test('A8: the time in which a run waited for people does not count', () => {
  const log = rows(
    [500, start],
    [600, { type: 'approval-request', callId: 'a', ...question }],
    [5_600, { type: 'approval-answer', callId: 'a', approved: true, by: 'tester' }],
    [5_700, { type: 'approval-request', callId: 'b', ...question }],
    [5_800, { type: 'approval-answer', callId: 'b', approved: false, by: 'tester' }],
  );
  assert.equal(runDeadline(log, { milliseconds: 1_000 }), 500 + 1_000 + 5_000 + 100);
});
