import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CapstanError, type ModelMessage } from '@capstan/contracts';
import { type ChatModelOptions, createChatModel } from './create-chat-model.ts';
import { startScriptedModel } from './scripted/start-scripted-model.ts';

const script = `
export function next({ messages, tools, turn }) {
  if (turn > 0) return { text: 'read: ' + messages.at(-1).content };
  return { text: 'I look at it, 看一下.', calls: [
    { name: tools[0].function.name, arguments: { path: 'src/a.ts', note: 'x'.repeat(100) } },
    { name: 'exec__run_check', arguments: {} },
  ] };
}`;
const tool = { name: 'fs-read__read_files', description: 'Reads.', inputSchema: { type: 'object', properties: {} } };
const conversation: ModelMessage[] = [
  { role: 'system', text: 'Work.' },
  { role: 'user', text: 'Fix it' },
];

async function start(context: TestContext, faults: string[] = [], options: Partial<ChatModelOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-models-'));
  writeFileSync(join(folder, 'script.mjs'), script);
  const server = await startScriptedModel({
    script: join(folder, 'script.mjs'),
    ledger: join(folder, 'ledger'),
    faults,
  });
  context.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const pauses: number[] = [];
  const model = createChatModel({
    name: 'scripted',
    baseUrl: server.url,
    random: () => 0.5,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    ...options,
  });
  return { server, model, pauses };
}

test('A8: a streamed answer is put together: text, calls in pieces, usage', async (context) => {
  const { model, server } = await start(context);
  const seen: string[] = [];
  const answer = await model.request({ messages: conversation, tools: [tool], onText: (piece) => seen.push(piece) });
  assert.equal(answer.text, 'I look at it, 看一下.');
  assert.equal(seen.join(''), answer.text);
  assert.deepEqual(
    answer.calls.map((call) => [call.name, call.arguments]),
    [
      ['fs-read__read_files', { path: 'src/a.ts', note: 'x'.repeat(100) }],
      ['exec__run_check', {}],
    ],
  );
  assert.ok(answer.usage.promptTokens > 0 && answer.usage.completionTokens > 20);
  assert.equal(server.requests().length, 1);
});

test('A8: tool results go back under the ids of their calls', async (context) => {
  const { model } = await start(context);
  const long = `run-1:${'7'.repeat(60)}:0`;
  const messages: ModelMessage[] = [
    ...conversation,
    { role: 'assistant', text: '', calls: [{ id: long, name: tool.name, arguments: { path: 'a' } }] },
    { role: 'tool', callId: long, text: 'the content' },
  ];
  const answer = await model.request({ messages, tools: [tool] });
  assert.equal(answer.text, 'read: the content');
  assert.deepEqual(answer.calls, []);
});

for (const fault of ['500:2', '429:2', 'reset:2', 'cut:2', 'end:2']) {
  test(`A8: ${fault} is tried again with growing pauses, and the answer is whole`, async (context) => {
    const { model, server, pauses } = await start(context, [fault]);
    const answer = await model.request({ messages: conversation, tools: [tool] });
    assert.equal(answer.calls.length, 2);
    assert.deepEqual(answer.malformed, []);
    assert.deepEqual(pauses, [250, 500]);
    assert.equal(server.requests().length, 3);
  });
}

test('A8: retries end, with a hint', async (context) => {
  const { model, server } = await start(context, ['503:9'], { maxRetries: 2 });
  await assert.rejects(model.request({ messages: conversation, tools: [tool] }), (thrown) => {
    assert.ok(thrown instanceof CapstanError);
    assert.equal(thrown.code, 'model-failed');
    assert.equal(thrown.level, 'retryable');
    assert.ok(thrown.hint);
    return true;
  });
  assert.equal(server.requests().length, 3);
});

for (const status of [400, 401, 404]) {
  test(`A8: ${status} is fatal at once, with a hint`, async (context) => {
    const { model, server } = await start(context, [`${status}:1`]);
    await assert.rejects(model.request({ messages: conversation, tools: [tool] }), (thrown) => {
      assert.ok(thrown instanceof CapstanError);
      assert.deepEqual([thrown.code, thrown.level, thrown.exitCode], ['model-failed', 'fatal', 4]);
      assert.match(thrown.hint ?? '', /key|name of the model|tool calls/);
      return true;
    });
    assert.equal(server.requests().length, 1);
  });
}

test('A8: a stream that falls silent is given up and asked for again', async (context) => {
  const { model, server } = await start(context, ['hang:1'], { timeoutMs: 1_500 });
  const answer = await model.request({ messages: conversation, tools: [tool] });
  assert.equal(answer.calls.length, 2);
  assert.equal(server.requests().length, 2);
});

test('A8: nobody listening is a failure that names the endpoint', async () => {
  const model = createChatModel({
    name: 'gone',
    baseUrl: 'http://127.0.0.1:9/v1',
    maxRetries: 1,
    random: () => 0,
    pause: async () => {},
  });
  await assert.rejects(model.request({ messages: conversation, tools: [] }), /127\.0\.0\.1:9/);
});

test('A8: broken arguments are reported, never guessed', async (context) => {
  const { model } = await start(context, ['malformed:1']);
  const answer = await model.request({ messages: conversation, tools: [tool] });
  assert.deepEqual(answer.calls, []);
  assert.deepEqual(
    answer.malformed.map((call) => call.name),
    ['fs-read__read_files', 'exec__run_check'],
  );
  assert.match(answer.malformed[0]?.reason ?? '', /not valid JSON/);
});

test('A8: an endpoint that reports no usage is counted by size', async (context) => {
  const { model } = await start(context, ['no-usage:1']);
  const answer = await model.request({ messages: conversation, tools: [tool] });
  assert.ok(answer.usage.promptTokens > 20 && answer.usage.completionTokens > 20);
});

test('A8: a cancelled request ends with the reason of its signal and is not retried', async (context) => {
  const { model, server } = await start(context, ['hang:1']);
  const controller = new AbortController();
  const reason = new Error('stop now');
  const running = model.request({
    messages: conversation,
    tools: [tool],
    signal: controller.signal,
    onText: () => controller.abort(reason),
  });
  await assert.rejects(running, (thrown) => thrown === reason);
  assert.equal(server.requests().length, 1);
});

test('A8: a request connects to its endpoint and nowhere else', async (context) => {
  const { model } = await start(context);
  const hosts: unknown[] = [];
  const original = Socket.prototype.connect;
  context.after(() => {
    Socket.prototype.connect = original;
  });
  Socket.prototype.connect = function connect(this: Socket, ...parameters: unknown[]) {
    const [first] = parameters.flat() as { host?: string }[];
    hosts.push(first?.host);
    if (first?.host !== '127.0.0.1') throw new Error(`a connect that is not loopback: ${first?.host}`);
    return Reflect.apply(original, this, parameters);
  } as typeof original;
  await model.request({ messages: conversation, tools: [tool] });
  assert.ok(hosts.length >= 1);
  assert.deepEqual([...new Set(hosts)], ['127.0.0.1']);
});
