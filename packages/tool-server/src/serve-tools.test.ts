import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const main = fileURLToPath(new URL('./fixtures/probe-server.ts', import.meta.url));
const eras = { legacy: 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;

async function connect(era: keyof typeof eras) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras[era] } });
  const transport = new StdioClientTransport({ command: process.execPath, args: [main], stderr: 'pipe', env: {} });
  let logged = '';
  transport.stderr?.on('data', (chunk) => {
    logged += String(chunk);
  });
  await client.connect(transport);
  const arrived: string[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    arrived.push('method' in message ? message.method : 'result');
    onmessage?.(message);
  };
  return { client, arrived, logs: (what: RegExp) => untilIt(() => what.test(logged)) };
}

/** Standard error comes on a pipe of its own: what was written before an answer may be read after it. */
async function untilIt(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 300 && !holds(); tries += 1) await sleep(100);
  return holds();
}

for (const era of ['legacy', '2026-07-28'] as const) {
  describe(`a served process, ${era}`, async () => {
    const { client, arrived, logs } = await connect(era);
    after(() => client.close());
    const fail = (how: string) => client.callTool({ name: 'fail', arguments: { how } });
    const failure = async (how: string) => (await fail(how))._meta?.['capstan/failure'];

    test('lists tools with tier, annotations and strict schemas', async () => {
      const { tools } = await client.listTools();
      const byName = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
      assert.deepEqual(Object.keys(byName), ['echo', 'fail', 'count', 'wait', 'nap']);
      assert.equal(byName.echo?.annotations?.readOnlyHint, true);
      assert.equal(byName.fail?.annotations?.destructiveHint, true);
      assert.equal(byName.fail?.annotations?.idempotentHint, false);
      assert.equal(byName.echo?.annotations?.openWorldHint, false);
      assert.equal(byName.nap?.annotations?.openWorldHint, true);
      assert.equal(byName.count?._meta?.['capstan/tier'], 'write');
      assert.equal(byName.echo?.inputSchema.additionalProperties, false);
      assert.equal(client.getInstructions(), 'Only for tests.');
    });

    test('gives text, structured content, links and the call id', async () => {
      const result = await client.callTool({
        name: 'echo',
        arguments: { words: ['你好', 'there'] },
        _meta: { 'capstan/call-id': 'run-1:7:0' },
      });
      assert.deepEqual(result.content[0], { type: 'text', text: '你好 there' });
      assert.equal(result.content[1]?.type, 'resource_link');
      assert.deepEqual(result.structuredContent, { said: '你好 there run-1:7:0' });
    });

    test('T4: wrong arguments are answered with what was wrong and what to do', async () => {
      const wrong = await client.callTool({ name: 'echo', arguments: { words: ['a', 2], deep: { count: 'x' } } });
      assert.equal(wrong.isError, true);
      assert.match(JSON.stringify(wrong.content), /words\[1\]: .*expected string.*deep\.count: .*expected number/);
      const extra = await client.callTool({ name: 'echo', arguments: { words: [], loud: true } });
      assert.match(JSON.stringify(extra.content), /Leave out \\"loud\\"; known here: words, deep\./);
      const missing = await client.callTool({ name: 'echo' });
      assert.match(JSON.stringify(missing.content), /words is: What to say, e\.g\. \[\\"hello\\"\]/);
    });

    test('T8: failures carry their level, and never a stack trace', async () => {
      assert.deepEqual(await failure('param'), {
        level: 'param',
        code: 'bad-argument',
        message: 'That is not there.',
        hint: 'Ask for something else.',
      });
      assert.deepEqual(await failure('retry'), { level: 'retryable', code: 'busy', message: 'Busy.', afterMs: 50 });
      assert.deepEqual(await failure('throw'), { level: 'fatal', code: 'internal', message: 'it broke' });
      assert.equal(((await failure('capstan')) as { code: string }).code, 'no-sandbox');
      assert.match(JSON.stringify(await failure('reply')), /breaks its own output schema/);
      const thrown = await fail('throw');
      assert.deepEqual(thrown.content, [{ type: 'text', text: 'it broke' }]);
      assert.equal(thrown.structuredContent, undefined);
    });

    test('T7: a result over the message limit becomes a failure and the connection lives on', async () => {
      assert.equal(((await failure('huge')) as { code: string }).code, 'result-too-large');
      const next = await client.callTool({ name: 'echo', arguments: { words: ['still', 'here'] } });
      assert.deepEqual(next.content[0], { type: 'text', text: 'still here' });
    });

    test('an unknown tool is a protocol error that names the known ones', async () => {
      await assert.rejects(client.callTool({ name: 'nothing' }), /no tool called "nothing".*echo, fail, count, wait/);
    });

    test('all progress is sent before the result', async () => {
      for (let round = 0; round < 5; round += 1) {
        arrived.length = 0;
        // What a client makes of messages that come in one piece is its own matter.
        await client.callTool({ name: 'count', arguments: { to: 3 } }, { onprogress: () => undefined });
        assert.deepEqual(arrived, [...Array.from({ length: 3 }, () => 'notifications/progress'), 'result']);
      }
    });

    test('a cancelled call sees its signal', async () => {
      const controller = new AbortController();
      const call = client.callTool(
        { name: 'wait', arguments: {} },
        { signal: controller.signal, onprogress: () => controller.abort() },
      );
      await assert.rejects(call);
      await client.callTool({ name: 'count', arguments: { to: 1 } });
      assert.ok(await logs(/cancelled/));
    });

    test('1,000 calls at once are all answered, each with its own reply', async () => {
      const calls = Array.from({ length: 1000 }, (_, index) =>
        client.callTool({ name: 'echo', arguments: { words: [String(index)] } }),
      );
      const replies = await Promise.all(calls);
      assert.deepEqual(
        replies.map((reply) => (reply.content[0] as { text: string }).text),
        Array.from({ length: 1000 }, (_, index) => String(index)),
      );
    });

    test('console output goes to standard error', async () => {
      assert.ok(await logs(/a stray line/));
    });
  });
}

test('the process ends when its input ends, in the middle of a call', async () => {
  const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  const exit = once(child, 'exit');
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'wait', arguments: {}, _meta: { progressToken: 1 } } });
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('notifications/progress')) break;
  }
  assert.match(output, /waiting/);
  child.stdin.end();
  assert.deepEqual(await exit, [0, null]);
});
