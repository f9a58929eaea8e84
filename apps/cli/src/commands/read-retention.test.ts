import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '@capstan/config';
import { CapstanError } from '@capstan/contracts';
import { type RetentionOptions, readRetention } from './read-retention.ts';

const none: RetentionOptions = { 'keep-days': undefined, keep: undefined, 'max-bytes': undefined };
const day = 24 * 60 * 60_000;

const { retention: defaults } = (
  await loadConfig({ userFile: '/dev/null/none', userFileNamed: false, environment: {} })
).config;

test('O2: by default 7 days for what is applied and unchanged, 30 for what is not applied', () => {
  const { endedMilliseconds, unappliedMilliseconds } = readRetention(none, defaults);
  assert.deepEqual([endedMilliseconds, unappliedMilliseconds], [7 * day, 30 * day]);
});

test('the command line says it in the place of the configuration; unapplied work never stays shorter', () => {
  const config = { days: 3, unappliedDays: 20, sessions: 5, bytes: 10 };
  assert.deepEqual(readRetention(none, config), {
    endedMilliseconds: 3 * day,
    unappliedMilliseconds: 20 * day,
    maximumSessions: 5,
    maximumBytes: 10,
  });
  const said = readRetention({ 'keep-days': '40', keep: '0', 'max-bytes': '1.5 GB' }, config);
  assert.deepEqual(said, {
    endedMilliseconds: 40 * day,
    unappliedMilliseconds: 40 * day,
    maximumSessions: 0,
    maximumBytes: 1_500_000_000,
  });
});

for (const [key, text] of [
  ['keep-days', 'soon'],
  ['keep-days', '-1'],
  ['keep', '1.5'],
  ['max-bytes', 'much'],
  ['max-bytes', '-5'],
  ['max-bytes', '5XB'],
  ['max-bytes', ''],
] as const) {
  test(`--${key} "${text}" is wrong use`, () => {
    const wrongUse = (error: unknown) =>
      error instanceof CapstanError && error.code === 'usage' && error.hint !== undefined;
    assert.throws(() => readRetention({ ...none, [key]: text }, defaults), wrongUse);
  });
}
