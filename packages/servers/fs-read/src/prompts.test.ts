import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ReadServer } from './testing/read-server.ts';

const server = await ReadServer.prepare();

before(async () => {
  await server.put('src/sum.mjs', 'export const one = 1;\nexport const two = 2; // ```\nexport const three = 3;\n');
  await server.put('.env', 'CANARY');
  await server.start();
});
after(() => server.end());

const get = (given: Record<string, string>) => server.client.getPrompt({ name: 'explain', arguments: given });

test('T2: explain shows the lines that were asked for, numbered, in a fence that they cannot end', async () => {
  const { messages } = await get({ path: 'src/sum.mjs', fromLine: '2', toLine: '2' });
  const text = JSON.stringify(messages);
  assert.match(text, /````.*2\| export const two = 2; \/\/ ```.*````/);
  assert.doesNotMatch(text, /three/);
});

test('T3: explain shows no secrets, and says what was wrong with its arguments', async () => {
  await assert.rejects(get({ path: '.env' }), (error: Error) => !error.message.includes('CANARY'));
  await assert.rejects(get({ path: 'src/sum.mjs', fromLine: 'first' }), /fromLine/);
  await assert.rejects(get({ path: '../outside' }), /outside/);
});

test('T2: the path is completed', async () => {
  const ref = { type: 'ref/prompt' as const, name: 'explain' };
  const { completion } = await server.client.complete({ ref, argument: { name: 'path', value: 'src/' } });
  assert.deepEqual(completion.values, ['src/sum.mjs']);
});
