import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verification } from '@capstan/contracts';
import { isVerified } from './is-verified.ts';

const said = (verdict: Verification['verdict']): Verification => ({
  verdict,
  before: [],
  after: [],
  fixed: [],
  broken: [],
  stillFailing: [],
  claims: [],
  reason: '',
});

test('A4 A6: only checks that ran and passed make changes verified', () => {
  assert.equal(isVerified({ files: ['a.ts'], verification: said('verified') }), true);
  assert.equal(isVerified({ files: ['a.ts'], verification: said('not-checked') }), false);
  assert.equal(isVerified({ files: ['a.ts'], verification: said('not-verified') }), false);
  assert.equal(isVerified({ files: ['a.ts'] }), false, 'a run that never came to its verification');
  assert.equal(isVerified({ files: [] }), true, 'there is nothing to bring into the checkout');
});
