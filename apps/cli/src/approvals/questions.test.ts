import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval, EventBody, EventRow } from '@capstan/contracts';
import { printable } from '../printable.ts';
import { createStyle } from '../style.ts';
import { chooseQuestions } from './choose-questions.ts';
import { closedQuestion } from './closed-question.ts';
import { questionContext } from './question-context.ts';
import { questionLine, questionLines } from './question-lines.ts';

const now = 1_000_000;
const question: Approval = {
  sessionId: 'session-1',
  callId: 'run-1:7:0',
  argumentDigest: 'digest',
  tool: 'fs-write__edit_files',
  rule: 'strict-write',
  summary: 'fs-write__edit_files\n{"edits":[]}\n-old\n+new',
  status: 'waiting',
  requestedAt: now - 5_000,
  expiresAt: now + 60_000,
};
const choose = (approvals: Approval[], call?: string, all = false) =>
  chooseQuestions(approvals, { sessionId: 'session-1', call, all, now });

test('A12: a call is meant by its id, or by what stands behind its run', () => {
  const other = { ...question, callId: 'run-1:17:0' };
  assert.deepEqual(choose([question, other], 'run-1:7:0'), [question]);
  assert.deepEqual(choose([question, other], '7:0'), [question]);
  assert.throws(() => choose([question, other], '0'), { code: 'unknown-approval', exitCode: 2 });
  assert.throws(() => choose([question, other], 'run-1'), { code: 'unknown-approval' });
});

test('A12: where several questions wait, nothing is answered until it is said which', () => {
  const other = { ...question, callId: 'run-1:8:0' };
  assert.throws(() => choose([question, other]), { code: 'usage', message: /run-1:7:0, run-1:8:0/ });
  assert.deepEqual(choose([question, other], undefined, true), [question, other]);
  const sameCall = { ...question, argumentDigest: 'other arguments' };
  assert.throws(() => choose([question, sameCall], '7:0'), { code: 'usage' }, 'the arguments were not named');
  assert.deepEqual(choose([{ ...question, status: 'used' }]), [], 'nothing waits');
});

test('A12: a question that is closed says who closed it, and how', () => {
  const by = { decidedBy: 'bob', decidedAt: now - 2_000 };
  const told = (row: Approval) => closedQuestion(row, now).message;
  assert.match(told({ ...question, status: 'approved', ...by }), /it was approved by bob 2\.0 s ago/);
  assert.match(told({ ...question, status: 'denied', ...by }), /it was refused by bob 2\.0 s ago/);
  assert.match(told({ ...question, status: 'used', ...by }), /approved by bob 2\.0 s ago, and the call has been made/);
  assert.match(told({ ...question, status: 'expired', expiresAt: now - 1_000 }), /nobody answered in time.*refused/);
  assert.throws(() => choose([{ ...question, status: 'denied', ...by }], '7:0'), {
    code: 'approval-closed',
    exitCode: 3,
    hint: /capstan resume session-1/,
  });
});

const label = { integrity: 'external', secrecy: 'public', origin: 'fs-read:NOTES.md' } as const;

function log(text = 'fix it'): EventRow[] {
  const task = { text, label: { ...label, integrity: 'external' }, repository: '/r', planner: 'model' };
  const bodies = [
    { type: 'run-start', runId: 'run-1', task },
    { type: 'taint-rise', callId: 'run-1:3:0', label },
    {
      type: 'tool-call',
      call: { id: question.callId, name: question.tool, arguments: { path: text, newText: 'long' }, taint: 'unknown' },
    },
    { type: 'approval-request', ...question },
    { type: 'taint-rise', callId: 'run-1:9:0', label: { ...label, origin: 'later' } },
  ] as unknown as EventBody[];
  return bodies.map((body, index) => ({ sessionId: 'session-1', number: index + 1, at: index, body }));
}

test('G6: a question is shown with who asks, and what the session held when it was asked', () => {
  const shown = questionLines(question, questionContext(question, log()), now, createStyle(false)).join('\n');
  assert.match(shown, /the task comes from somebody else/);
  assert.match(shown, /by {9}a model; what it has read may have had a part in the arguments/);
  assert.match(shown, /careful {4}the session holds external content \(fs-read:NOTES\.md\)/);
  assert.doesNotMatch(shown, /later/, 'what came afterwards had no part in it');
  assert.match(shown, /asked {6}5\.0 s ago; expires in 1 min 00 s/);
  assert.match(shown, /\n\{"edits":\[\]\}\n-old\n\+new$/, 'the whole question');
});

test('a question that leaves out parts of its arguments is followed by all of them', () => {
  const cut = { ...question, summary: `${question.tool}\n900 characters are not shown; where, is marked below.\n{}` };
  const shown = questionLines(cut, questionContext(cut, log()), now, createStyle(false));
  assert.deepEqual(shown.slice(-5), ['Arguments in full:', '{', '  "path": "fix it",', '  "newText": "long"', '}']);
});

test('T3: nothing in a question acts on the terminal', () => {
  const hostile = 'a\u001b]0;title\u0007b\u001b[2Jc\u202ed';
  const lines = (text: string) =>
    questionLines({ ...question, rule: text }, questionContext(question, log(text)), now, createStyle(false)).length;
  assert.equal(lines('a\n  by         Capstan itself'), lines('a'), 'a line break makes no line of its own');
  const made = {
    ...question,
    tool: hostile,
    rule: hostile,
    summary: `${hostile}\n1 characters are not shown`,
    sessionId: hostile,
  };
  const shown = questionLines(made, questionContext(question, log(hostile)), now, createStyle(false)).join('\n');
  assert.equal(shown, printable(shown));
  const line = questionLine({ ...made, callId: hostile }, now, createStyle(false));
  assert.equal(line, printable(line));
});
