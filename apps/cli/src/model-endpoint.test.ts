import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findModelEndpoint, modelEndpoint, mustBeAt } from './model-endpoint.ts';

const at = (url: string | undefined, environment: Record<string, string> = {}) =>
  findModelEndpoint({ model: { url, keyVariable: 'OPENAI_API_KEY' } }, environment);

test('A8: without an address and without a key no model is known', () => {
  assert.equal(at(undefined), undefined);
  assert.equal(at(undefined, { OPENAI_API_KEY: '' }), undefined);
  assert.throws(() => modelEndpoint('gpt', { model: { keyVariable: 'MY_KEY' } }, {}), {
    code: 'no-model',
    hint: /Set MY_KEY/,
  });
});

test('A8: a key alone means OpenAI, an address goes without a key', () => {
  assert.equal(at(undefined, { OPENAI_API_KEY: 'k' })?.url, 'https://api.openai.com/v1');
  assert.deepEqual([at('http://127.0.0.1:1/v1')?.key, at('http://127.0.0.1:1/v1')?.isLoopback], [undefined, true]);
});

test('only this machine is loopback, however the address is written', () => {
  for (const url of [
    'http://localhost:1',
    'http://127.9.9.9',
    'http://[::1]:5/v1',
    'http://2130706433/',
    'http://0x7f.1',
  ]) {
    assert.equal(at(url)?.isLoopback, true, url);
  }
  for (const url of [
    'http://localhost.example.org',
    'http://127.0.0.1.example.org',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'http://127.0.0.1@example.org/',
    'http://[::ffff:8.8.8.8]',
  ]) {
    assert.equal(at(url)?.isLoopback, false, url);
  }
});

test('passwords and parameters of an address are not shown', () => {
  assert.equal(at('https://ann:hunter2@example.org/v1?key=hunter2#x')?.shown, 'https://example.org/v1');
});

test('a run goes on with the address that was agreed to, or on this machine, and nowhere else', () => {
  const now = (url: string) => modelEndpoint('m', { model: { url, keyVariable: 'K' } }, {});
  mustBeAt('https://example.org/v1', now('https://example.org/v1/'));
  mustBeAt('https://example.org/v1', now('http://127.0.0.1:1/v1'));
  for (const url of ['https://example.org/v2', 'http://example.org/v1', 'https://other.example/v1']) {
    assert.throws(() => mustBeAt('https://example.org/v1', now(url)), { code: 'model-not-trusted' });
  }
  assert.throws(() => mustBeAt('http://127.0.0.1:1/v1', now('https://example.org')), { code: 'model-not-trusted' });
});
