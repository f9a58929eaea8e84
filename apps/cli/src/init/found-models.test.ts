import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { foundModels } from './found-models.ts';

/** The port of an endpoint with one model. */
async function endpointWith(t: TestContext, name: string): Promise<number> {
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: [{ id: name }] })));
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const probe = (port: number) => ({ port, path: '/v1/models', milliseconds: 30_000 });
const configured = (url?: string) => ({ model: { url, keyVariable: 'OPENAI_API_KEY' } });

test('A8: what answers on this machine is found, beside the one whose key is set', async (t) => {
  const port = await endpointWith(t, 'local');
  const url = `http://127.0.0.1:${port}/v1`;
  const local = { name: 'local', url, shown: url, why: 'it answers on this machine' };
  assert.deepEqual(await foundModels(configured(), {}, probe(port)), [local]);
  const openAi = 'https://api.openai.com/v1';
  assert.deepEqual(await foundModels(configured(), { OPENAI_API_KEY: 'k' }, probe(port)), [
    { name: undefined, url: undefined, shown: openAi, why: 'OPENAI_API_KEY is set' },
    local,
  ]);
});

test('A8: where an address is configured, only that one is looked at, and only on this machine', async (t) => {
  const [mine, other] = [await endpointWith(t, 'mine'), await endpointWith(t, 'other')];
  const here = `http://localhost:${mine}/v1/`;
  const found = await foundModels(configured(here), {}, probe(other));
  assert.deepEqual(
    found.map(({ name, url }) => [name, url]),
    [['mine', undefined]],
  );
  const away = await foundModels(configured(`http://0.0.0.0:${mine}/v1`), {}, probe(other));
  assert.deepEqual(
    away.map(({ name }) => name),
    [undefined],
  );
});
