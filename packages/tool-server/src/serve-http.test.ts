import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@capstan/contracts';
import { type Era, probe, startHttpServer } from './testing/http-server.ts';

type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;
const token = 'a-token-of-more-than-16-characters';
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const bearer = { ...json, authorization: `Bearer ${token}` };

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function failureOf({ _meta }: { readonly _meta?: Record<string, unknown> | undefined }): Failure {
  return Failure.parse(_meta?.['capstan/failure']);
}

/** A request as it is written: `fetch` sets Host and refuses some headers. */
function send(url: URL, options: { method?: string; path?: string; headers?: Record<string, string>; body?: string }) {
  return new Promise<Reply>((resolve, reject) => {
    const { method = 'POST', path = '/mcp', headers = bearer, body = '{}' } = options;
    const sent = request({ host: url.hostname, port: url.port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

/** Many times what is worked on at once; the older era costs its client more. */
const crowd = { legacy: 100, '2026-07-28': 400 };

let folder: string;
let server: HttpServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-http-'));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, `${token}\n`);
  server = await startHttpServer(probe, ['--token-file', tokenFile, '--at-once', '8', '--allow-host', 'tools.example']);
});
after(async () => {
  server.end();
  assert.deepEqual(await server.exit, [0, null]);
  await rm(folder, { recursive: true, force: true });
});

for (const era of ['legacy', '2026-07-28'] as const satisfies readonly Era[]) {
  describe(`Streamable HTTP, ${era}`, () => {
    test('T1: calls, failures and progress come as over stdio', async () => {
      const client = await server.connect(era, token);
      const said = await client.callTool({
        name: 'echo',
        arguments: { words: ['你好'] },
        _meta: { 'capstan/call-id': 'call-7' },
      });
      assert.deepEqual(said.structuredContent, { said: '你好 call-7' });
      const failed = await client.callTool({ name: 'fail', arguments: { how: 'param' } });
      assert.equal(failureOf(failed).level, 'param');
      const huge = await client.callTool({ name: 'fail', arguments: { how: 'huge' } });
      assert.equal(failureOf(huge).code, 'result-too-large');
      const steps: unknown[] = [];
      await client.callTool(
        { name: 'count', arguments: { to: 3 } },
        { onprogress: ({ message }) => void steps.push(message) },
      );
      assert.deepEqual(steps, ['step 1', 'step 2', 'step 3']);
      await client.close();
    });

    test('T8: calls over the limit are refused as retryable, at once, and the others go on', async () => {
      const client = await server.connect(era, token);
      const controller = new AbortController();
      let waiting = 0;
      const all = Promise.withResolvers<void>();
      const onprogress = (): void => {
        waiting += 1;
        if (waiting === 8) all.resolve();
      };
      const waits = Array.from({ length: 8 }, () =>
        client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal, onprogress }),
      );
      const ends = Promise.allSettled(waits);
      await all.promise;
      const refused = await client.callTool({ name: 'echo', arguments: { words: [] } });
      const failure = failureOf(refused);
      assert.deepEqual([failure.level, failure.code, (failure.afterMs ?? 0) > 0], ['retryable', 'busy', true]);
      controller.abort();
      await ends;
      let again = refused;
      for (let tries = 0; tries < 100 && again.isError === true; tries += 1) {
        await sleep(20);
        again = await client.callTool({ name: 'echo', arguments: { words: ['free'] } });
      }
      assert.deepEqual(again.structuredContent, { said: 'free without id' });
      await client.close();
    });

    test(`T8: ${crowd[era]} calls at once are all answered, with their own reply or as busy`, async () => {
      const client = await server.connect(era, token);
      const calls = Array.from({ length: crowd[era] }, (_, index) =>
        client.callTool({ name: 'echo', arguments: { words: [String(index)] } }),
      );
      for (const [index, reply] of (await Promise.all(calls)).entries()) {
        if (reply.isError !== true) assert.deepEqual(reply.structuredContent, { said: `${index} without id` });
        else assert.equal(failureOf(reply).level, 'retryable');
      }
      await client.close();
    });

    test('T1: a call ends when its client goes away; told to end, a server answers what it works on', async () => {
      const own = await startHttpServer(probe, ['--no-token']);
      const leaving = await own.connect(era);
      const left = leaving.callTool(
        { name: 'wait', arguments: {} },
        { onprogress: () => void leaving.close().catch(() => undefined) },
      );
      await assert.rejects(left);
      assert.ok(await own.logs(/cancelled/));

      const client = await own.connect(era);
      const begun = Promise.withResolvers<void>();
      const nap = client.callTool({ name: 'nap', arguments: { ms: 700 } }, { onprogress: () => begun.resolve() });
      await begun.promise;
      own.end();
      assert.deepEqual((await nap).structuredContent, { said: 'rested' });
      assert.deepEqual(await own.exit, [0, null]);
      await assert.rejects(fetch(own.url));
    });
  });
}

describe('who is let in', () => {
  test('T1: other names in Host and Origin are refused before anything is read (DNS rebinding)', async () => {
    const rebound = await send(server.url, { headers: { ...bearer, host: 'evil.example' } });
    assert.equal(rebound.status, 403);
    assert.match(rebound.body, /--allow-host evil\.example/);
    for (const origin of ['https://evil.example', 'null', 'not a url', 'http://localhost.evil.example']) {
      assert.equal((await send(server.url, { headers: { ...bearer, origin } })).status, 403, origin);
    }
    for (const host of ['localhost', '127.0.0.1:1', '[::1]', 'tools.example']) {
      assert.notEqual((await send(server.url, { headers: { ...bearer, host } })).status, 403, host);
    }
    assert.notEqual((await send(server.url, { headers: { ...bearer, origin: 'http://localhost:3000' } })).status, 403);
  });

  test('T1: without the right token there is nothing but 401', async () => {
    const wrong = [undefined, 'Bearer', 'Bearer x', `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token.slice(1)}`];
    for (const authorization of wrong) {
      const headers = authorization === undefined ? json : { ...json, authorization };
      for (const method of ['POST', 'GET', 'DELETE']) {
        const reply = await send(server.url, { method, headers });
        assert.equal(reply.status, 401, authorization);
        assert.match(reply.headers['www-authenticate'] ?? '', /^Bearer/);
        assert.doesNotMatch(reply.body, new RegExp(token));
      }
    }
    assert.notEqual((await send(server.url, {})).status, 401);
  });

  test('what cannot be read is answered with what is wrong, and the server goes on', async () => {
    const status = async (options: Parameters<typeof send>[1]) => (await send(server.url, options)).status;
    assert.equal(await status({ path: '/' }), 404);
    assert.equal(await status({ path: '/mcp/x' }), 404);
    assert.equal(await status({ method: 'PUT' }), 405);
    assert.equal(await status({ headers: { ...bearer, 'content-type': 'text/plain' } }), 415);
    for (const body of ['', '{', 'null', '[]', '"x"', '{"jsonrpc":"2.0"}', '['.repeat(100_000), '\0\xff']) {
      const reply = await send(server.url, { body });
      assert.equal(reply.status, 400, body.slice(0, 20));
      assert.doesNotMatch(reply.body, /\bat .*:\d+:\d+/);
    }
    const many = await send(server.url, { body: JSON.stringify({ x: 'x'.repeat(9 * 1024 * 1024) }) });
    assert.equal(many.status, 413);
    assert.match(many.body, /at most 8388608 bytes/);
    const lost = await send(server.url, {
      headers: { ...bearer, 'mcp-session-id': 'none' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    assert.equal(lost.status, 404);
    assert.match(lost.body, /Begin one with initialize/);
    const client = await server.connect('2026-07-28', token);
    assert.equal((await client.listTools()).tools.length, 5);
    await client.close();
  });

  test('a body that never ends is answered, and then cut off', async () => {
    const { hostname, port } = server.url;
    const sent = request({ hostname, port, method: 'POST', path: '/mcp', headers: bearer });
    const closed = once(sent, 'close');
    sent.setMaxListeners(0);
    sent.on('error', () => undefined);
    const [response] = (await Promise.all([once(sent, 'response'), pour(sent)]))[0] as [IncomingMessage];
    assert.equal(response.statusCode, 413);
    response.resume();
    await closed;
  });
});

/** Writes until nobody takes any more. */
async function pour(sent: ClientRequest): Promise<void> {
  const chunk = Buffer.alloc(256 * 1024, 'x');
  while (!sent.destroyed) {
    if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), once(sent, 'close'), sleep(1000)]);
    await sleep(10);
  }
}
