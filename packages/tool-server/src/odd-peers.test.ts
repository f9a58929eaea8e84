import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { probe } from './testing/http-server.ts';

interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A process that is written to line by line, as hosts do that know no SDK. */
function startRaw() {
  const child = spawn(process.execPath, [probe], { env: {} });
  const exit = once(child, 'exit');
  const answers = new Map<number, (message: Message) => void>();
  let logged = '';
  child.stderr.on('data', (chunk) => {
    logged += String(chunk);
  });
  // A process that ends while it is written to closes the pipe.
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
  });
  const write = (text: string | Buffer): boolean => child.stdin.write(text);
  const send = (message: object): boolean => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (id: number, method: string, params: object = {}): Promise<Message> => {
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    send({ id, method, params });
    return answer;
  };
  const begin = (protocolVersion: string): Promise<Message> =>
    ask(0, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'odd', version: '0' } });
  /** Standard error comes on a pipe of its own: what was written before an answer may be read after it. */
  const logs = async (what: RegExp): Promise<boolean> => {
    for (let tries = 0; tries < 300 && !what.test(logged); tries += 1) await sleep(20);
    return what.test(logged);
  };
  return { child, exit, write, send, ask, begin, logged: () => logged, logs };
}

test('T1: a host of 2024-11-05 gets that version, one of the future the latest', async () => {
  for (const [asked, given] of [
    ['2024-11-05', '2024-11-05'],
    ['2099-01-01', '2025-11-25'],
  ] as const) {
    const host = startRaw();
    assert.equal((await host.begin(asked)).result?.protocolVersion, given);
    const said = await host.ask(1, 'tools/call', { name: 'echo', arguments: { words: ['old'] } });
    assert.deepEqual(said.result?.content, [
      { type: 'text', text: 'old' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ]);
    host.child.stdin.end();
    assert.deepEqual(await host.exit, [0, null]);
  }
});

describe('one connection', async () => {
  const host = startRaw();
  before(() => host.begin('2025-11-25'));
  after(async () => {
    host.child.stdin.end();
    assert.deepEqual(await host.exit, [0, null]);
  });

  test('T4: lines that are no messages are left out with a word about it, and the next ones are answered', async () => {
    const garbage = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '{"jsonrpc":"1.0","id":1}',
      '{"jsonrpc":"2.0"}',
      '[1,2]',
      '\u0000',
    ];
    for (const line of garbage) host.write(`${line}\n`);
    host.write(Buffer.from([0xff, 0xfe, 0x80, 0x0a]));
    host.write(`${'['.repeat(200_000)}\n`);
    const said = await host.ask(5, 'tools/call', { name: 'echo', arguments: { words: ['still here'] } });
    assert.equal(said.error, undefined);
    assert.ok(await host.logs(/no JSON-RPC was ignored/));
    assert.doesNotMatch(host.logged(), /\n\s+at /);
  });

  test('T4: calls with wrong types are answered with what was wrong, and no stack trace', async () => {
    const wrong: object[] = [
      {},
      { name: 7 },
      { name: 'echo', arguments: [] },
      { name: 'echo', arguments: 'words' },
      { name: 'echo', arguments: null },
      { name: 'echo', arguments: { words: { length: 1 } } },
      { name: '__proto__', arguments: {} },
      { name: 'echo', arguments: JSON.parse('{"__proto__":{"words":["x"]}}') as object },
      { name: 'echo', arguments: { words: [] }, _meta: { 'capstan/call-id': {} } },
    ];
    for (const [index, params] of wrong.entries()) {
      const answer = await host.ask(index + 1, 'tools/call', params);
      const text = JSON.stringify(answer);
      assert.ok(answer.error !== undefined || answer.result !== undefined);
      assert.doesNotMatch(text, /\bat \S+ \(|node_modules|file:\/\/\/(?!a")/);
      if (index < wrong.length - 1) assert.ok(answer.error !== undefined || answer.result?.isError === true, text);
    }
  });

  test('T8: a cancelled call gets no answer, an unknown one is no error, and others go on', async () => {
    let answered = false;
    void host.ask(101, 'tools/call', { name: 'wait', arguments: {} }).then(() => {
      answered = true;
    });
    await host.ask(102, 'tools/call', { name: 'echo', arguments: { words: [] } });
    for (const requestId of [101, 101, 199, 'x'])
      host.send({ method: 'notifications/cancelled', params: { requestId } });
    await host.ask(103, 'tools/call', { name: 'nap', arguments: { ms: 100 } });
    assert.ok(await host.logs(/cancelled/));
    assert.equal(answered, false);
  });
});

test('a message of 10.5 MiB is read and answered; over 12 MiB the process says so and ends', async () => {
  const host = startRaw();
  await host.begin('2025-11-25');
  const large = await host.ask(1, 'tools/call', {
    name: 'echo',
    arguments: { words: 'x'.repeat(10.5 * 1024 * 1024) },
  });
  assert.match(JSON.stringify(large.result?.content), /words: .*expected array/);
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  for (let sent = 0; sent < 14; sent += 1) host.write(chunk);
  assert.deepEqual(await host.exit, [1, null]);
  assert.ok(
    await host.logs(/probe: a message over 12582912 bytes came in, which cannot be read\. The server ends\.\n$/),
  );
});

test('a host that is gone while it should read ends the process', async () => {
  const host = startRaw();
  await host.begin('2025-11-25');
  for (let id = 1; id <= 200; id += 1)
    host.send({ id, method: 'tools/call', params: { name: 'fail', arguments: { how: 'huge' } } });
  host.child.stdout.destroy();
  host.child.stdin.destroy();
  assert.deepEqual(await host.exit, [0, null]);
});
