import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes } from '@capstan/contracts';
import { applyFailure } from './finish-run.ts';

test('X1: each reason not to apply has its exit code, and a hint that names the next command', () => {
  const cases = [
    { outcome: { kind: 'unverified' }, exit: 3, hint: /capstan apply session-1 --unverified/ },
    { outcome: { kind: 'held', files: ['package.json'] }, exit: 3, hint: /--reviewed/ },
    { outcome: { kind: 'moved', files: ['a.ts'] }, exit: 3, hint: /capstan diff session-1/ },
    { outcome: { kind: 'read-only', reason: 'EROFS' }, exit: 4, hint: /capstan apply session-1/ },
  ] as const;
  for (const { outcome, exit, hint } of cases) {
    const { failure, exitCode } = applyFailure(outcome, 'session-1');
    assert.equal(exitCode, exit);
    assert.match(failure.hint ?? '', hint);
    const codes: Record<string, { exit: number }> = errorCodes;
    assert.equal(codes[failure.code]?.exit, exit, 'the table of codes says the same');
  }
});
