import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { HttpConfig } from '../rules/http-config.ts';
import { compileRules } from '../rules/rule.ts';
import { callTools } from '../testing/call-tools.ts';
import { localServer } from '../testing/local-server.ts';
import { makeCertificate } from '../testing/make-certificate.ts';
import { performRequest } from './perform-request.ts';
import { planRequest } from './plan-request.ts';

const loopback = { scheme: 'http', addresses: ['127.0.0.0/8'] } as const;

test('T12: a name is resolved once, and what it leads to later does not matter', async (t) => {
  const port = await localServer(t, (_request, response) => response.end('pinned'));
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return asked.length === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
  };
  const call = await callTools(t, { config: { rules: [{ host: 'rebound.test', port, ...loopback }] }, resolve });
  const url = `http://rebound.test:${port}/`;
  assert.equal((await call('fetch_url', { url })).structured.text, 'pinned');
  assert.deepEqual(asked, ['rebound.test']);
  const second = await call('fetch_url', { url });
  assert.equal(second.failure?.code, 'address-refused');
  assert.match(second.text, /leads to 169\.254\.169\.254/);
});

test('T12: one private address among public ones is enough to refuse, and nothing is connected to', async (t) => {
  let connections = 0;
  const port = await localServer(t, (_request, response) => {
    connections += 1;
    response.end();
  });
  const answers = [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']];
  for (const addresses of answers) {
    const config = { rules: [{ host: 'mixed.test', port, scheme: 'http' }] };
    const call = await callTools(t, { config, resolve: async () => addresses });
    assert.equal((await call('fetch_url', { url: `http://mixed.test:${port}/` })).failure?.code, 'address-refused');
  }
  assert.equal(connections, 0);
});

test('T12: the connection goes to the checked address, encrypted for the name', async (t) => {
  const own = makeCertificate(['one.api.test']);
  const seen: string[] = [];
  const port = await localServer(
    t,
    (request, response) => {
      seen.push(`${String((request.socket as { servername?: string }).servername)} ${request.headers.host}`);
      response.end('encrypted');
    },
    own,
  );
  const rule = { host: '*.api.test', port, addresses: ['127.0.0.1/32'], authority: 'ca.pem' };
  const call = await callTools(t, { config: { rules: [rule] }, files: { 'ca.pem': own.certificate } });
  assert.equal((await call('fetch_url', { url: `https://one.api.test:${port}/` })).structured.text, 'encrypted');
  assert.deepEqual(seen, [`one.api.test one.api.test:${port}`]);
  const other = await call('fetch_url', { url: `https://other.api.test:${port}/` });
  assert.equal(other.failure?.code, 'unreachable');
  assert.match(other.text, /certificate or encryption/);
});

test('T12: redirects are judged as calls of their own; what is not allowed is not asked', async (t) => {
  let reached = 0;
  const inner = await localServer(t, (_request, response) => {
    reached += 1;
    response.end('inner');
  });
  const targets = new Map([
    ['/private', 'http://10.0.0.1/'],
    ['/metadata', `http://metadata.test:${inner}/`],
    ['/decimal', `http://2130706433:${inner}/`],
    ['/user', `http://a@outer.test:${inner}/`],
    ['/scheme', 'file:///etc/passwd'],
    ['/other', `http://outer.test:${inner}/`],
    ['/path', '/../forbidden'],
    ['/loop', '/loop'],
  ]);
  const port = await localServer(t, (request, response) => {
    response.writeHead(302, { Location: targets.get(request.url ?? '') ?? '/' }).end();
  });
  const rules = [
    { host: 'outer.test', port, ...loopback, paths: [...targets.keys()] },
    { host: 'metadata.test', port: inner, scheme: 'http' },
  ];
  const call = await callTools(t, { config: { rules } });
  for (const path of targets.keys()) {
    const { failure } = await call('fetch_url', { url: `http://outer.test:${port}${path}` });
    assert.match(failure?.code ?? '', /^(?:redirect-refused|address-refused)$/u, path);
  }
  assert.equal(reached, 0);
});

test('T12: a redirect to another allowed host is followed without secrets and without headers of the caller', async (t) => {
  const seen: IncomingMessage['headers'][] = [];
  const second = await localServer(t, (request, response) => {
    seen.push(request.headers);
    response.end('second');
  });
  const first = await localServer(t, (request, response) => {
    seen.push(request.headers);
    const next = request.url === '/start' ? '/again' : `http://second.test:${second}/`;
    response.writeHead(307, { Location: next }).end();
  });
  const headers = { Authorization: { secret: 'token', prefix: 'Bearer ' } };
  const config = {
    secrets: { token: { env: 'TOKEN' } },
    rules: [
      { host: 'first.test', port: first, ...loopback, headers },
      { host: 'second.test', port: second, ...loopback, headers },
    ],
  };
  const call = await callTools(t, { config, environment: { TOKEN: 'correct-horse' } });
  const reply = await call('fetch_url', { url: `http://first.test:${first}/start`, headers: { 'X-Note': 'mine' } });
  assert.equal(reply.structured.text, 'second');
  assert.deepEqual(
    seen.map(({ authorization, 'x-note': note }) => [authorization, note]),
    [
      ['Bearer correct-horse', 'mine'],
      ['Bearer correct-horse', 'mine'],
      [undefined, undefined],
    ],
  );
  assert.equal(reply.structured.redirects?.length, 2);
  assert.match(reply.text, /no secret was sent there/);
});

test('T12: a body is bounded after decompression, and the rest is not read', async (t) => {
  const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
  const port = await localServer(t, (request, response) => {
    response.setHeader('Content-Type', 'text/plain');
    if (request.url === '/bomb') response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    else if (request.url === '/twice') response.writeHead(200, { 'Content-Encoding': 'gzip, gzip' }).end(bomb);
    else if (request.url === '/broken') response.writeHead(200, { 'Content-Encoding': 'br' }).end('no brotli');
    else if (request.url === '/small')
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('unpacked'));
    else response.end('y'.repeat(1_000_000));
  });
  const rule = { host: 'bomb.test', port, ...loopback, limits: { bytes: 300_000 } };
  const call = await callTools(t, { config: { rules: [rule] } });
  const base = `http://bomb.test:${port}`;
  assert.equal((await call('fetch_url', { url: `${base}/small` })).structured.text, 'unpacked');
  assert.equal((await call('fetch_url', { url: `${base}/small`, method: 'HEAD' })).structured.kind, 'empty');
  for (const path of ['/bomb', '/long']) {
    const { structured, text } = await call('fetch_url', { url: base + path });
    assert.equal(structured.bytes, 300_000);
    assert.match(text, /longer than the 300000 bytes that its rule allows/);
  }
  assert.equal((await call('fetch_url', { url: `${base}/twice` })).failure?.code, 'bad-encoding');
  assert.equal((await call('fetch_url', { url: `${base}/broken` })).failure?.code, 'bad-encoding');
});

test('T8 T12: the time of a rule covers everything, and a cancelled call ends at once', async (t) => {
  let open = 0;
  const port = await localServer(t, (request, response) => {
    open += 1;
    request.socket.once('close', () => {
      open -= 1;
    });
    response.write('a');
    const drip = setInterval(() => response.write('a'), 20);
    response.once('close', () => clearInterval(drip));
  });
  const slow = { host: 'slow.test', port, ...loopback, limits: { milliseconds: 200 }, methods: ['GET', 'POST'] };
  const call = await callTools(t, { config: { rules: [slow, { ...slow, host: 'patient.test', limits: {} }] } });
  const read = await call('fetch_url', { url: `http://slow.test:${port}/` });
  assert.deepEqual([read.failure?.level, read.failure?.code], ['retryable', 'timeout']);
  const sent = await call('send_request', { url: `http://slow.test:${port}/`, method: 'POST', json: {} });
  assert.deepEqual([sent.failure?.level, sent.failure?.code], ['fatal', 'unknown-outcome']);
  const cancelled = new AbortController();
  setTimeout(() => cancelled.abort(), 100);
  const reply = await call('fetch_url', { url: `http://patient.test:${port}/` }, cancelled.signal);
  assert.equal(reply.failure?.code, 'unreachable');
  const never = await callTools(t, { config: { rules: [slow] }, resolve: () => new Promise(() => {}) });
  assert.equal((await never('fetch_url', { url: `http://slow.test:${port}/` })).failure?.code, 'timeout');
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('T12: what is no correct HTTP, or another protocol, ends the call at once', async (t) => {
  const answers = new Map([
    ['/upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
    ['/garbage', '\0 no HTTP at all\r\n\r\n'],
    ['/both', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n'],
    ['/headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
  ]);
  const port = await localServer(t, (request) => request.socket.write(answers.get(request.url ?? '') ?? ''));
  const call = await callTools(t, { config: { rules: [{ host: 'odd.test', port, ...loopback }] } });
  for (const path of answers.keys()) {
    const { failure } = await call('fetch_url', { url: `http://odd.test:${port}${path}` });
    assert.deepEqual([failure?.level, failure?.code], ['param', 'unreachable'], path);
  }
});

test('T12: a call that is cancelled before it begins sends nothing and ends with a value', async (t) => {
  let connections = 0;
  const port = await localServer(t, () => {
    connections += 1;
  });
  const config = HttpConfig.parse({ rules: [{ host: 'late.test', port, ...loopback }] });
  const rules = compileRules(config, { secrets: new Map(), authorities: new Map() });
  const planned = planRequest(rules, { method: 'GET', url: `http://late.test:${port}/`, headers: {} });
  assert.ok('rule' in planned);
  const deps = { rules, resolve: async () => ['127.0.0.1'] };
  const ended = await performRequest(deps, planned, AbortSignal.abort());
  assert.ok('failure' in ended);
  assert.equal(connections, 0);
});

test('T8: who did not answer can be tried again; what may have had an effect is not', async (t) => {
  const port = await localServer(t, (request, response) => {
    if (request.url === '/later') response.writeHead(503, { 'Retry-After': '7' }).end();
    else if (request.url === '/day') response.writeHead(429, { 'Retry-After': '86400' }).end();
    else if (request.url === '/broken') response.writeHead(201, { 'Content-Encoding': 'gzip' }).end('no gzip');
    else request.socket.destroy();
  });
  const rule = { host: 'rude.test', ...loopback, methods: ['GET', 'POST'] };
  const call = await callTools(t, {
    config: {
      rules: [
        { ...rule, port },
        { ...rule, port: 1 },
      ],
    },
  });
  const url = `http://rude.test:${port}`;
  const later = await call('fetch_url', { url: `${url}/later` });
  assert.deepEqual([later.failure?.level, later.failure?.afterMs], ['retryable', 7000]);
  assert.equal((await call('send_request', { url: `${url}/later`, method: 'POST' })).structured.status, 503);
  assert.equal((await call('fetch_url', { url: `${url}/day` })).structured.status, 429);
  assert.equal((await call('fetch_url', { url: `${url}/cut` })).failure?.level, 'retryable');
  assert.equal((await call('send_request', { url: `${url}/cut`, method: 'POST' })).failure?.code, 'unknown-outcome');
  const broken = await call('send_request', { url: `${url}/broken`, method: 'POST' });
  assert.deepEqual([broken.failure?.level, broken.failure?.code], ['fatal', 'unknown-outcome']);
  assert.match(broken.text, /answered with 201/);
  const refused = await call('send_request', { url: 'http://rude.test:1/', method: 'POST' });
  assert.deepEqual([refused.failure?.level, refused.failure?.code], ['retryable', 'unreachable']);
});
