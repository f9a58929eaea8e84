import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectChecks } from './detect-checks.ts';
import { fakeReader } from './testing/fake-reader.ts';
import { withoutManager } from './without-manager.ts';

async function substitute(scripts: Record<string, string>, lock = 'yarn.lock') {
  const reader = fakeReader({ 'package.json': JSON.stringify({ scripts }), [lock]: '' });
  const [check] = await detectChecks(reader);
  assert.ok(check !== undefined);
  return withoutManager(reader, check);
}

test('A4: a script that npm can run is run by npm', async () => {
  const found = await substitute({ test: 'node --test' });
  assert.deepEqual(found?.check.argv, ['npm', 'test']);
  assert.equal(found?.check.id, 'yarn:test');
  assert.deepEqual(found?.check.appendableArgv, ['npm', 'test', '--']);
  assert.equal(found?.note, 'yarn is not installed: npm test ran instead.');
  const other = await substitute({ 'test:unit': 'vitest run' }, 'pnpm-lock.yaml');
  assert.deepEqual(other?.check.argv, ['npm', 'run', 'test:unit']);
});

test('A4: a script that calls the manager itself is replaced by its runner, where that is known', async () => {
  for (const scripts of [
    { test: 'yarn build && node --test test/*.js' },
    { pretest: 'pnpm build', test: 'node --test test/*.js' },
    { test: 'npm run unit && node --test test/*.js', unit: 'yarn x' },
  ]) {
    const found = await substitute(scripts);
    assert.deepEqual(found?.check.argv, ['node', '--test', 'test/*.js'], scripts.test);
    assert.match(found?.note ?? '', /without the other steps/);
  }
  assert.equal(await substitute({ test: 'yarn jasmine' }), undefined);
});

test('a check of another kind has no substitute', async () => {
  const reader = fakeReader({ 'package.json': '{"scripts":{"test":"node --test"}}' });
  const [check] = await detectChecks(reader);
  assert.ok(check !== undefined);
  assert.equal(await withoutManager(reader, check), undefined);
});
