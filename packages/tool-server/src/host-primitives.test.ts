import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { conformance, type Era, eras, startHttpServer } from './testing/http-server.ts';

const modes = [
  ['stdio', 'legacy'],
  ['stdio', '2026-07-28'],
  ['http', 'legacy'],
  ['http', '2026-07-28'],
] as const;

async function connect(transport: 'stdio' | 'http', era: Era, capabilities = {}) {
  if (transport === 'http') {
    const server = await startHttpServer(conformance, ['--no-token']);
    const client = await server.connect(era, undefined, capabilities);
    return { client, close: async () => [await client.close(), server.end(), await server.exit] };
  }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: eras[era] }, capabilities });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [conformance], stderr: 'inherit', env: {} }),
  );
  return { client, close: async () => [await client.close()] };
}

async function subscribe(client: Client, uri: string): Promise<() => Promise<unknown>> {
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}

async function listen(client: Client, uri: string): Promise<() => Promise<unknown>> {
  const listening = await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
  return () => listening.close();
}

for (const [transport, era] of modes) {
  describe(`${transport}, ${era}`, async () => {
    const asked: unknown[] = [];
    const { client, close } = await connect(transport, era, { sampling: {}, elicitation: {} });
    after(close);
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      asked.push(params.messages[0]?.content);
      if (JSON.stringify(params).includes('refuse')) throw new Error('The person said no');
      return { role: 'assistant', content: { type: 'text', text: '好的' }, model: 'small-1' };
    });

    test('T2: resources are listed in pages, with templates, and read as text and bytes', async () => {
      const first = await client.request({ method: 'resources/list', params: {} });
      assert.deepEqual(
        first.resources.map(({ name }) => name),
        ['static-binary', 'static-text'],
      );
      const second = await client.request({ method: 'resources/list', params: { cursor: first.nextCursor } });
      assert.deepEqual([second.resources.map(({ name }) => name), second.nextCursor], [['watched'], undefined]);
      const wrong = client.request({ method: 'resources/list', params: { cursor: 'never given out' } });
      await assert.rejects(wrong, { code: -32_602, message: /none that this server gave out/ });
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.equal(resourceTemplates[0]?.uriTemplate, 'test://template/{id}/data');
      const text = await client.readResource({ uri: 'test://template/7/data' });
      assert.match(JSON.stringify(text.contents), /Data for ID: 7/);
      const { contents } = await client.readResource({ uri: 'test://static-binary' });
      assert.match((contents[0] as { blob: string }).blob, /^iVBORw0KGgo/);
      await assert.rejects(client.readResource({ uri: 'test://nothing' }), { code: -32_602 });
    });

    test('T2: a host that subscribed is told of changes, until it ends that', async () => {
      const told: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
      client.setNotificationHandler('notifications/resources/list_changed', () => void told.push('list'));
      const uri = 'test://watched-resource';
      const change = () => client.callTool({ name: 'test_trigger_resource_change', arguments: {} });
      const settle = async (count: number) => {
        for (let tries = 0; tries < 50 && told.length < count; tries += 1) await sleep(20);
        return told.splice(0).sort();
      };
      const end = era === 'legacy' ? await subscribe(client, uri) : await listen(client, uri);
      await sleep(100);
      await change();
      assert.deepEqual(await settle(2), ['list', uri]);
      await end();
      await sleep(100);
      await change();
      assert.ok(!(await settle(1)).includes(uri));
      if (era === 'legacy')
        await assert.rejects(client.subscribeResource({ uri: 'test://static-text' }), /cannot be watched/);
    });

    test('T2: prompts are listed with their arguments, got, and complete what is typed', async () => {
      const { prompts } = await client.listPrompts();
      const listed = prompts.find(({ name }) => name === 'test_prompt_with_arguments');
      assert.deepEqual(
        listed?.arguments?.map(({ name, required }) => [name, required]),
        [
          ['arg1', true],
          ['arg2', true],
        ],
      );
      const name = 'test_prompt_with_arguments';
      const got = await client.getPrompt({ name, arguments: { arg1: '你好', arg2: 'b' } });
      assert.match(JSON.stringify(got.messages), /arg1='你好', arg2='b'/);
      await assert.rejects(client.getPrompt({ name, arguments: { arg1: 'a' } }), { code: -32_602, message: /arg2: / });
      await assert.rejects(client.getPrompt({ name: 'none' }), /no prompt called "none".*test_simple_prompt/);
      const prompt = { type: 'ref/prompt', name } as const;
      const completed = await client.complete({ ref: prompt, argument: { name: 'arg1', value: 'par' } });
      assert.deepEqual(completed.completion.values, ['paris', 'park', 'party']);
      const template = { type: 'ref/resource', uri: 'test://template/{id}/data' } as const;
      const ids = await client.complete({ ref: template, argument: { name: 'id', value: '12' } });
      assert.deepEqual(ids.completion.values, ['123', '124']);
      const none = await client.complete({ ref: prompt, argument: { name: 'constructor', value: '' } });
      assert.deepEqual(none.completion.values, []);
    });

    test("T2: a tool asks the host's model, and hears when it refuses", async () => {
      const said = await client.callTool({ name: 'test_sampling', arguments: { prompt: '总结' } });
      assert.deepEqual(said.content, [{ type: 'text', text: 'LLM response: 好的' }]);
      assert.deepEqual(asked, [{ type: 'text', text: '总结' }]);
      const refused = client.callTool({ name: 'test_sampling', arguments: { prompt: 'refuse' } });
      // Up to 2025-11-25 the server is told; later hosts do not call again, and their caller is told.
      if (era === 'legacy') assert.match(JSON.stringify((await refused).content), /The person said no/);
      else await assert.rejects(refused, /The person said no/);
    });
  });
}

test('T2: a host without a model is not asked: the tool goes on and says so', async () => {
  const { client, close } = await connect('stdio', 'legacy');
  const said = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'x' } });
  assert.match(JSON.stringify(said.content), /The host does not offer sampling/);
  await close();
});

test('T2: what a host answered counts for the call that it was asked in, and for no other', async () => {
  const { client, close } = await connect('stdio', '2026-07-28', { sampling: {} });
  const call = (prompt: string, more: object) =>
    client.request(
      { method: 'tools/call', params: { name: 'test_sampling', arguments: { prompt }, ...more } },
      { allowInputRequired: true },
    ) as Promise<{ requestState?: string; content?: unknown }>;
  const inputResponses = { answer: { role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' } };
  const { requestState } = await call('delete nothing', {});
  assert.equal(typeof requestState, 'string');
  const other = call('delete everything', { requestState, inputResponses });
  await assert.rejects(other, { code: -32_602, message: /belongs to another request/ });
  const forged = call('delete nothing', { requestState: `${requestState?.slice(0, -4)}AAAA`, inputResponses });
  await assert.rejects(forged, { code: -32_602 });
  const own = await call('delete nothing', { requestState, inputResponses });
  assert.match(JSON.stringify(own.content), /LLM response: yes/);
  await close();
});
