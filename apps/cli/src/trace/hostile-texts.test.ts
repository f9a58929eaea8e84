import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody, EventRow } from '@capstan/contracts';
import { buildTrace } from '@capstan/telemetry';
import fc from 'fast-check';
import { printable } from '../printable.ts';
import { createStyle } from '../style.ts';
import { traceLines } from './trace-lines.ts';
import { tracePage } from './trace-page.ts';

const usage = { promptTokens: 1, completionTokens: 1 };

/** A log in which everything that somebody else may have written is this text. */
function logWith(text: string): EventRow[] {
  const label = { integrity: 'external', secrecy: 'public', origin: text } as const;
  const call = { id: text, name: text, arguments: { [text]: text }, taint: 'unknown' } as const;
  const failure = { level: 'fatal', code: text, message: text } as const;
  const verification = {
    verdict: 'not-verified',
    before: [],
    after: [],
    fixed: [],
    broken: [],
    stillFailing: [],
    claims: [],
    reason: text,
  } as const;
  const report = {
    checkId: text,
    outcome: 'failed',
    exitCode: 1,
    passed: 1,
    failed: 1,
    skipped: 0,
    tests: [],
    durationMs: 9,
  } as const;
  const task = {
    text,
    label,
    repository: text,
    planner: 'model',
    model: text,
    apply: false,
    approvals: 'strict',
    budget: { steps: 1, modelRequests: 1, tokens: 1, milliseconds: 1, failures: 1 },
  } as const;
  const bodies: EventBody[] = [
    { type: 'run-start', runId: text, task },
    { type: 'sandbox-ready', containment: text, detail: text },
    { type: 'node-enter', node: text, step: 0 },
    { type: 'plan-update', planner: text, steps: [{ title: text, status: 'current' }] },
    { type: 'model-request', model: text, digest: text, messages: 1 },
    { type: 'model-answer', answer: { text, calls: [], malformed: [], usage } },
    { type: 'tool-call', call: { ...call, arguments: call.arguments } },
    { type: 'tool-result', callId: text, outcome: { kind: 'failed', callId: text, failure }, durationMs: 1 },
    { type: 'approval-request', callId: text, argumentDigest: text, tool: text, rule: text, summary: text },
    { type: 'approval-answer', callId: text, approved: true, by: text },
    { type: 'taint-rise', callId: text, label },
    { type: 'check-report', phase: 'after', report: { ...report, tests: [] } },
    { type: 'attempt-fail', attempt: 1, reason: text },
    {
      type: 'verification',
      verification: { ...verification, before: [], after: [], fixed: [], broken: [], stillFailing: [], claims: [] },
    },
    { type: 'diff-ready', files: [text], diff: text, held: [text] },
    { type: 'diff-apply', files: [text] },
    {
      type: 'run-end',
      runId: text,
      sessionId: text,
      status: 'failed',
      exitCode: 1,
      answer: text,
      failure,
      usage: { ...usage, modelRequests: 1, toolCalls: 1 },
      files: [text],
      applied: false,
    },
    { type: text } as unknown as EventBody,
  ];
  return bodies.map((body, index) => ({ sessionId: text, number: index + 1, at: 1_000 * index, body }));
}

const markup = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' style='position:fixed' '",
  '</style><svg onload=alert(1)>',
  '</details></main><h1>Approved</h1>',
  '&lt;b&gt; &amp; `1`',
  'a\u001b]0;title\u0007b\u001b[2Jc\u202ed\u0000e\u2028f',
];

/** A page's markup alone: the same, whatever the texts in it are. */
function markupOf(page: string): string[] {
  return page.match(/<[^>]*>/g) ?? [];
}

test('T3: no text of a task, model, tool or file becomes markup of the page', () => {
  const harmless = markupOf(tracePage(buildTrace(logWith('x')), 'capstan'));
  for (const text of markup) {
    const page = tracePage(buildTrace(logWith(text)), 'capstan');
    assert.deepEqual(markupOf(page), harmless, text);
    assert.equal(page, printable(page), 'and nothing acts on the screen of the reader');
  }
});

test('T3: nor does any other text', () => {
  const harmless = markupOf(tracePage(buildTrace(logWith('x')), 'capstan'));
  const piece = fc.constantFrom(...markup, '<', '>', '"', "'", '&', '=', '/', ' ', 'a', '`', '\u001b[', '中');
  const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `a${pieces.join('')}`);
  fc.assert(
    fc.property(text, (made) => {
      assert.deepEqual(markupOf(tracePage(buildTrace(logWith(made)), 'capstan')), harmless);
    }),
  );
});

test('T3: control characters never reach the terminal, and a text makes no lines of its own', () => {
  const lines = traceLines(buildTrace(logWith('x')), createStyle(false), 'capstan', 100);
  for (const text of [...markup, 'one\ntwo\r\nthree']) {
    const shown = traceLines(buildTrace(logWith(text)), createStyle(false), 'capstan', 100);
    assert.equal(shown.length, lines.length);
    for (const line of shown) assert.equal(line, printable(line).replaceAll('\n', ' '));
  }
});
