import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOutcome, ToolCall } from '@capstan/contracts';
import { findLoop, remember, turnDigest } from './loop-guard.ts';

const call: ToolCall = { id: 'a', name: 'exec__run_check', arguments: { checkId: 'npm:test' }, taint: 'unknown' };
const outcome = (text: string): CallOutcome => ({
  kind: 'result',
  callId: 'a',
  result: {
    content: [{ type: 'text', text }],
    isError: false,
    label: { integrity: 'workspace', secrecy: 'public', origin: 'exec' },
  },
});

test('A10: how long a call took does not make its result new', () => {
  assert.equal(turnDigest(call, outcome('1 failed in 12.5 ms')), turnDigest(call, outcome('1 failed in 900 ms')));
  assert.notEqual(turnDigest(call, outcome('1 failed')), turnDigest(call, outcome('2 failed')));
});

test('A10: four times the same, or back and forth three times, is a loop; progress is none', () => {
  assert.equal(findLoop(['a', 'a', 'a'], 0), undefined);
  assert.match(findLoop(['a', 'b', 'a', 'a', 'c', 'a'], 0) ?? '', /same call/);
  assert.match(findLoop(['a', 'b', 'a', 'b', 'a', 'b'], 0) ?? '', /alternate/);
  assert.equal(findLoop(['a', 'b', 'a', 'b', 'c', 'b'], 0), undefined);
  assert.match(findLoop([], 8) ?? '', /nothing new/);
});

test('A10: only the last calls are remembered', () => {
  const many = Array.from({ length: 100 }, (_, index) => `${index}`);
  assert.equal(remember(many, ['x']).length, 40);
});
