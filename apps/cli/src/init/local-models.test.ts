import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { localModels } from './local-models.ts';

async function served(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const probe = (port: number, milliseconds = 30_000) => localModels({ port, path: '/v1/models', milliseconds });
const answer =
  (value: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(value));

test('A8: models that a local endpoint offers are found, each once', async (t) => {
  const port = await served(t, (request, response) => {
    assert.equal(request.url, '/v1/models');
    answer({ object: 'list', data: [{ id: 'qwen3-coder', extra: 1 }, { id: 'llama' }, { id: 'llama' }] })(
      request,
      response,
    );
  });
  assert.deepEqual(await probe(port), ['qwen3-coder', 'llama']);
});

test('A8: what is no list of models offers none', async (t) => {
  for (const listener of [
    answer({ models: [] }),
    answer({ data: [{ id: 5 }] }),
    answer({ data: [{ id: 'a\u001b[2J' }, { id: 'a\u202eb' }] }),
    ((_request, response) => response.end('<html>')) satisfies RequestListener,
    ((_request, response) => response.writeHead(500).end('{"data":[{"id":"a"}]}')) satisfies RequestListener,
    ((_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()) satisfies RequestListener,
    ((_request, response) => response.destroy()) satisfies RequestListener,
    ((_request, response) => response.end(`{"data":[{"id":"${'a'.repeat(2_000_000)}"}]}`)) satisfies RequestListener,
  ]) {
    assert.deepEqual(await probe(await served(t, listener)), []);
  }
});

test('A8: an endpoint that is silent, or not there, does not keep anybody waiting', async (t) => {
  const silent = await served(t, () => undefined);
  assert.deepEqual(await probe(silent, 50), []);
  const cut = await served(t, (_request, response) => response.write('{"data":[{"id":"a"}'));
  assert.deepEqual(await probe(cut, 300), []);
  const closed = await served(t, () => undefined);
  assert.deepEqual(await probe(closed === 1 ? 2 : 1, 1_000), []);
});
