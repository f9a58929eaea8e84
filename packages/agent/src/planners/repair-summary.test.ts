import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventBody, EventRow } from '@capstan/contracts';
import { toolNames } from '../declared-tools.ts';
import { repairSummary } from './repair-summary.ts';

const label = { integrity: 'workspace', secrecy: 'public', origin: 'repair' } as const;
const edits = (newText: string) => [{ path: 'a.mjs', line: 1, oldText: 'a - b', newText }];
const patch = (newText: string, group: number, more: object = {}) => ({
  patchId: newText,
  rank: group,
  group,
  edits: edits(newText),
  ...more,
});

function rowsOf(...bodies: EventBody[]): EventRow[] {
  return bodies.map((body, index) => ({ number: index + 1, at: 0, sessionId: 's', body }));
}

function made(id: string, name: string, args: Record<string, unknown>, structured: unknown): EventBody[] {
  const outcome = { kind: 'result' as const, callId: id, result: { content: [], structured, isError: false, label } };
  return [
    { type: 'tool-call', call: { id, name, arguments: args, taint: 'clean' } },
    { type: 'tool-result', callId: id, outcome, durationMs: 1 },
  ];
}

const distinguishing = [{ groups: [1, 2], input: 'f(1)', outcomes: ['2', '3'] }];
const validated = (...plausible: object[]) =>
  made('v', toolNames.validatePatch, { proposalId: 'p' }, { tried: 9, plausible, distinguishing, exhausted: true });
const applied = (id: string, newText: string) => made(id, toolNames.editFiles, { edits: edits(newText) }, {});
const done = { status: 'done' } as const;

test('N3: an input on which plausible patches differ is shown, seen from the patch that stays', () => {
  const found = validated(patch('a + b', 1), patch('a * b', 2));
  const first = repairSummary(rowsOf(...found, ...applied('e', 'a + b')), done);
  assert.match(first, /behaves differently: f\(1\) gives 2 with this one and 3 with that one\. A test for this input/);
  const failed: EventBody = { type: 'attempt-fail', attempt: 1, reason: 'no' };
  const second = repairSummary(rowsOf(...found, ...applied('e', 'a + b'), failed, ...applied('g', 'a * b')), done);
  assert.match(second, /f\(1\) gives 3 with this one and 2 with that one/);
  assert.doesNotMatch(second, /gives 2 with this one/);
});

test('N3: a patch that looks as if it disabled something says so plainly', () => {
  const disables = 'the condition `a`, which becomes `true`';
  const summary = repairSummary(rowsOf(...validated(patch('true', 3, { disables })), ...applied('e', 'true')), done);
  assert.match(summary, /passes your tests, but looks like it disables the condition `a`, which becomes `true`/);
  const plain = repairSummary(rowsOf(...validated(patch('a + b', 3)), ...applied('e', 'a + b')), done);
  assert.doesNotMatch(plain, /Careful|differently/);
});
