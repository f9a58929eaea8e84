import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget } from '@capstan/contracts';
import { checkArguments } from './check-arguments.ts';

const timeOf = (minutes: number) =>
  checkArguments('npm:test', { budget: Budget.parse({ milliseconds: minutes * 60_000 }) }).timeoutMs;

test('A4: a check gets half of a short run, and what the server allows of a long one', () => {
  assert.equal(timeOf(1), 30_000);
  assert.equal(timeOf(10), 300_000, 'more than two minutes, when the run has them');
  assert.equal(timeOf(30), undefined);
  assert.equal(timeOf(0.01), 1000, 'the least that the tool takes');
});
