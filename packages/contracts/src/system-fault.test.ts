import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { test } from 'node:test';
import { toFailure } from './error.ts';
import { faultOfFailure, systemFault } from './system-fault.ts';

function systemError(code: string, more: object = {}): Error {
  return Object.assign(new Error(`${code}: something`), { code, ...more });
}

test('F7: failures of the machine have a sentence for people and say what to do', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'EROFS', 'EIO']) {
    const failure = toFailure(systemError(code, { path: '/data' }));
    assert.equal(failure.code, 'storage-failed', code);
    assert.match(failure.message, /^[A-Z].*: \/data$/);
    assert.doesNotMatch(failure.message, new RegExp(code));
    assert.ok(failure.hint !== undefined && failure.hint.length > 0);
  }
});

test('what passes by itself can be tried again; what somebody has to change cannot', () => {
  assert.equal(systemFault(systemError('ENOSPC'))?.level, 'retryable');
  assert.equal(systemFault(systemError('EMFILE'))?.level, 'retryable');
  assert.equal(systemFault(systemError('EROFS'))?.level, 'fatal');
});

test('the module loader says in words that there are too many files', () => {
  const thrown = new Error('Cannot read package config a/package.json: too many open files.');
  assert.match(toFailure(thrown).message, /may not open more files/);
});

test('a fault is known again after it went through another process as a value', () => {
  const failure = toFailure(systemError('ENOSPC', { path: '/data' }));
  assert.equal(faultOfFailure(JSON.parse(JSON.stringify(failure)))?.code, 'ENOSPC');
  assert.equal(faultOfFailure({ code: 'param', message: failure.message }), undefined);
});

test('other errors stay what they are', () => {
  assert.equal(toFailure(new Error('x')).code, 'internal');
  assert.equal(systemFault('EIO'), undefined);
  assert.equal(systemFault(systemError('constructor')), undefined);
  assert.throws(
    () => openSync('/nowhere/at/all', 'r'),
    (error: unknown) => systemFault(error) === undefined,
  );
});
