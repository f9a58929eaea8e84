import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

test('T2: the server of the README runs as it stands there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-readme-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? assert.fail('the README has no example');
  const main = join(folder, 'notes.ts');
  await writeFile(main, code);
  await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const root = join(folder, 'notes');
  await mkdir(root);
  await writeFile(join(root, 'shopping.md'), 'milk, 面包 and tea\n');

  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const args = [main, '--root', root];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit', env: {} }));
  const counted = await client.callTool({ name: 'count_words', arguments: { name: 'shopping' } });
  assert.deepEqual(counted.structuredContent, { words: 4 });
  const missing = await client.callTool({ name: 'count_words', arguments: { name: 'other' } });
  assert.match(JSON.stringify(missing.content), /There is no note \\"other\\"\. Hint: List the resources/);
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ['note:///shopping'],
  );
  const note = await client.readResource({ uri: 'note:///shopping' });
  assert.match(JSON.stringify(note.contents), /面包/);
  await assert.rejects(client.readResource({ uri: 'note:///../shopping' }), { code: -32_602 });
  const ref = { type: 'ref/prompt', name: 'tidy' } as const;
  const completed = await client.complete({ ref, argument: { name: 'name', value: 'sho' } });
  assert.deepEqual(completed.completion.values, ['shopping']);
  const prompt = await client.getPrompt({ name: 'tidy', arguments: { name: 'shopping' } });
  assert.match(JSON.stringify(prompt.messages), /Tidy note:\/\/\/shopping/);
  await client.close();
});
