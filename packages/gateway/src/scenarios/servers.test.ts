import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { resultText } from '@capstan/contracts';
import { defaultLimits, preflight, toolchainFor } from '@capstan/sandbox';
import type { ServerSpec } from '../index.ts';
import { fixture, mailServer, openHouse, ownServer, resultOf, ruleOf } from './open-house.ts';

const changing = (folder: string, ...flags: string[]): ServerSpec => ({
  name: 'changing',
  trust: 'reviewed',
  command: process.execPath,
  args: [fixture('changing-server'), '--ledger', join(folder, 'ledger'), ...flags],
  environment: {},
  tiers: { add: 'read', steady: 'read' },
});
const changingTools = ['changing__add', 'changing__steady'];
const context = { tools: changingTools };

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if (await condition()) return;
    await delay(25);
  }
  throw new Error('it never came to be');
}

test('T1: a server gets exactly its environment, and its process ends with the gateway', async (t) => {
  const servers = (folder: string) => [ownServer(folder, { environment: { ONLY: 'this' } })];
  const house = await openHouse(t, { servers });
  assert.equal(resultText(resultOf(await house.call('own__environment'))), 'ONLY');
  const [health] = house.gateway.health();
  assert.equal(health?.state, 'running');
  assert.ok(existsSync(`/proc/${health?.pid}`));
  await house.gateway.close();
  assert.ok(!existsSync(`/proc/${health?.pid}`));
  assert.equal(ruleOf(await house.call('own__environment')), 'failed');
});

test("T1: a terminal's Ctrl-C does not reach servers, which end with the gateway", async (t) => {
  const house = await openHouse(t);
  assert.equal(ruleOf(await house.call('own__read_file', { path: 'a.txt' })), 'result');
  const pid = house.gateway.health()[0]?.pid;
  // Fields after the name: state, parent, process group, session.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  assert.deepEqual(fields.slice(1, 4), [`${process.pid}`, `${pid}`, `${pid}`]);
  await house.gateway.close();
  assert.ok(!existsSync(`/proc/${pid}`));
});

test('T1: a server that ignores the end of its input is killed', async (t) => {
  const stubborn = `setInterval(() => {}, 1000); process.on('SIGTERM', () => {});
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const result = method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
        : { tools: [{ name: 't', inputSchema: { type: 'object' } }] };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });`;
  const spec = {
    name: 'stubborn',
    trust: 'reviewed',
    command: process.execPath,
    args: ['-e', stubborn],
    environment: {},
  } as const;
  const house = await openHouse(t, { servers: () => [spec] });
  assert.equal((await house.gateway.listTools({ agent: 'a', tools: ['stubborn__t'] })).length, 1);
  const pid = house.gateway.health()[0]?.pid;
  assert.ok(existsSync(`/proc/${pid}`));
  await house.gateway.close();
  assert.ok(!existsSync(`/proc/${pid}`));
});

test('G10: a dead server fails only its own calls, is left alone after failures in a row, and starts again', async (t) => {
  const limits = { breakerFailures: 2, breakerMilliseconds: 300 };
  const house = await openHouse(t, { limits });
  const starts = () => house.gateway.health().find((row) => row.server === 'own')?.starts;
  await house.call('own__die_reading');
  await house.call('own__die_reading');
  const left = await house.call('own__read_file', { path: 'a' });
  assert.ok(left.kind === 'failed');
  assert.equal(left.failure.code, 'server-failed');
  assert.equal(left.failure.level, 'retryable');
  assert.equal(starts(), 2);
  assert.equal(ruleOf(await house.call('mail__read_inbox')), 'result');
  await until(async () => ruleOf(await house.call('own__read_file', { path: 'a' })) === 'result');
  assert.equal(starts(), 3);
  assert.equal(house.gateway.health().find((row) => row.server === 'own')?.breaker, 'closed');
});

test('G10: a server that cannot be started says so, and only its tools are missing', async (t) => {
  const broken = { name: 'broken', trust: 'official', command: '/nonexistent', args: [], environment: {} } as const;
  const house = await openHouse(t, { servers: (folder) => [ownServer(folder), broken] });
  const tools = await house.gateway.listTools({ agent: 'a', tools: ['broken__x', 'own__read_file', 'own__shell'] });
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['own__read_file'],
  );
  const outcome = await house.call('broken__x', {}, { context: { tools: ['broken__x'] } });
  assert.ok(outcome.kind === 'failed');
  assert.match(outcome.failure.message, /broken could not be started/u);
});

test('G10: what a server that fails says is reported with its name, and the hint says where', async (t) => {
  const script = "process.stderr.write('no libfoo\\nhalf'); process.stderr.write(' a line')";
  const spec = { name: 'poor', trust: 'official', command: process.execPath, args: ['-e', script] } as const;
  const said: string[] = [];
  const diagnostics = { onDiagnostic: (message: string) => void said.push(message), diagnosticsPlace: '/home/log' };
  const house = await openHouse(t, { servers: () => [{ ...spec, environment: {} }], ...diagnostics });
  const outcome = await house.call('poor__x', {}, { context: { tools: ['poor__x'] } });
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.hint, 'Go on without it; what it said is in /home/log.');
  assert.ok(!JSON.stringify(outcome).includes('libfoo'));
  assert.deepEqual(
    said.filter((line) => /libfoo|half/u.test(line)),
    ['poor: no libfoo', 'poor: half a line'],
  );
});

test('G10: of a server that talks without end only a part is reported', async (t) => {
  const script = "process.stderr.write('x'.repeat(1_000_000))";
  const spec = { name: 'loud', trust: 'official', command: process.execPath, args: ['-e', script] } as const;
  const said: string[] = [];
  const onDiagnostic = (message: string): void => void said.push(message);
  const house = await openHouse(t, { servers: () => [{ ...spec, environment: {} }], onDiagnostic });
  await house.call('loud__x', {}, { context: { tools: ['loud__x'] } });
  assert.ok(said.join('').length < 400_000);
  assert.ok(said.some((line) => line.includes('is not kept')));
});

test('G4: a definition that changes within the session blocks that tool, with both digests', async (t) => {
  const house = await openHouse(t, { servers: (folder) => [changing(folder)] });
  assert.equal(ruleOf(await house.call('changing__add', { first: 1 }, { context })), 'result');
  await until(async () => ruleOf(await house.call('changing__add', { first: 1 }, { context })) !== 'result');
  const outcome = await house.call('changing__add', { first: 1 }, { context });
  assert.ok(outcome.kind === 'denied');
  assert.equal(outcome.rule, 'definition-changed');
  assert.match(outcome.failure.message, /from [0-9a-f]{64} to [0-9a-f]{64}/u);
  assert.equal(ruleOf(await house.call('changing__steady', {}, { context })), 'result');
  const listed = await house.gateway.listTools({ agent: 'a', tools: changingTools });
  assert.deepEqual(
    listed.map((tool) => tool.name),
    ['changing__steady'],
  );
});

test('G4: a change that a server keeps quiet about is seen when the tools are listed again', async (t) => {
  const house = await openHouse(t, { servers: (folder) => [changing(folder, '--silent')] });
  assert.equal(ruleOf(await house.call('changing__add', { first: 1 }, { context })), 'result');
  await house.gateway.listTools({ agent: 'a', tools: changingTools });
  assert.equal(ruleOf(await house.call('changing__add', { first: 1 }, { context })), 'resolve/definition-changed');
});

test('G3: annotations never lower a tier, and a server cannot state levels in our name', async (t) => {
  const house = await openHouse(t, { servers: (folder) => [mailServer(folder, { enabledDangerous: ['run'] })] });
  const listed = await house.gateway.listTools({
    agent: 'a',
    tools: ['mail__send_mail', 'mail__add_note', 'mail__run'],
  });
  assert.deepEqual(
    listed.map((tool) => tool.tier),
    ['write', 'write', 'dangerous'],
  );
  const refused = resultOf(await house.call('mail__refuse'));
  assert.equal(refused.failure?.level, 'param');
  assert.ok(!JSON.stringify(refused.failure).includes('do as I say'));
  assert.match(resultText(refused), /^<<external-content/u);
});

test('T3: paths that climb, that are absolute, at home, secret or links outward are refused by name', async (t) => {
  const house = await openHouse(t);
  symlinkSync('/etc', join(house.root, 'link'));
  await house.call('own__read_file', { path: 'src/../a.txt' });
  const refused: Record<string, string> = {
    '../a.txt': 'path-outside',
    'src/../../a.txt': 'path-outside',
    '..\\a.txt': 'path-outside',
    '/etc/passwd': 'path-outside',
    'file:///etc/passwd': 'path-outside',
    '~/.ssh/id_ed25519': 'path-home',
    '.git/hooks/pre-commit': 'path-secret',
    'config/.ENV': 'path-secret',
    'link/passwd': 'path-symlink',
    'a\0.txt': 'path-nul',
  };
  for (const [path, rule] of Object.entries(refused)) {
    assert.equal(ruleOf(await house.call('own__read_file', { path })), `policy/${rule}`, path);
    assert.equal(ruleOf(await house.call('mail__attach', { path })), `policy/${rule}`, path);
  }
  assert.deepEqual(
    house.ledger().map((line) => line.tool),
    ['read_file'],
  );
});

test('T8: progress reaches the caller and an abort ends the call', async (t) => {
  const house = await openHouse(t);
  const stop = new AbortController();
  const messages: string[] = [];
  const onProgress = (message: string): void => {
    messages.push(message);
    stop.abort();
  };
  const outcome = await house.call('own__slow', {}, { context: { signal: stop.signal, onProgress } });
  assert.ok(outcome.kind === 'failed');
  assert.match(outcome.failure.message, /cancelled/u);
  assert.deepEqual(messages, ['started']);
  assert.equal(house.gateway.health().find((row) => row.server === 'own')?.breaker, 'closed');
});

test('T8: a call that takes too long fails as retryable', async (t) => {
  const house = await openHouse(t, { servers: (folder) => [ownServer(folder, { callMilliseconds: 100 })] });
  const outcome = await house.call('own__slow');
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.level, 'retryable');
});

test('A8: a call ends with the time of its run, as final, and nothing is sent after it', async (t) => {
  const clock = { time: Date.now(), now: () => clock.time, steady: () => clock.time };
  const house = await openHouse(t, { clock, servers: (folder) => [ownServer(folder, { contained: ['hang'] })] });
  const late = { tools: ['own__slow', 'own__hang'], deadline: clock.time + 200 };
  for (const name of late.tools) {
    const outcome = await house.call(name, {}, { id: name, context: late });
    assert.ok(outcome.kind === 'failed', name);
    assert.deepEqual([outcome.failure.code, outcome.failure.level], ['budget-spent', 'fatal'], name);
    assert.match(
      outcome.failure.hint ?? '',
      /new run.*--timeout MIN.*budget\.minutes/,
      'a spent run is only told again',
    );
  }
  const again = await house.call('own__hang', {}, { id: 'own__hang', context: { tools: late.tools } });
  assert.equal(again.kind, 'unknown-outcome');
  clock.time += 200;
  const after = await house.call('own__slow', {}, { context: late });
  assert.ok(after.kind === 'failed' && after.failure.code === 'budget-spent');
  assert.equal(house.ledger().length, 2);
});

test('A8: a server that never gets ready does not outlive the time of the run either', async (t) => {
  const args = ['-e', 'process.stdin.resume()'];
  const spec = { name: 'mute', trust: 'official', command: process.execPath, args, environment: {} } as const;
  const house = await openHouse(t, { servers: () => [spec] });
  const context = { tools: ['mute__x'], deadline: house.clock.time + 200 };
  const outcome = await house.call('mute__x', {}, { context });
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.code, 'budget-spent');
});

test('T7: our own servers speak the 2026-07-28 era, with the call id and levels of failure', async (t) => {
  const probe = fileURLToPath(new URL('fixtures/probe-server.ts', import.meta.resolve('@capstan/tool-server')));
  const spec = { name: 'probe', trust: 'official', command: process.execPath, args: [probe], environment: {} } as const;
  const house = await openHouse(t, { servers: () => [spec] });
  const tools = { context: { tools: ['probe__echo', 'probe__fail'] } };
  const said = resultOf(await house.call('probe__echo', { words: ['hello'] }, { id: 'call-7', ...tools }));
  assert.deepEqual(said.structured, { said: 'hello call-7' });
  assert.deepEqual(said.label, { integrity: 'workspace', secrecy: 'public', origin: 'probe:echo' });
  assert.equal(ruleOf(await house.call('probe__fail', { how: 'param' }, tools)), 'policy/tier-dangerous-off');
});

test('G5: definitions of third-party servers that address the model are refused, in English and Chinese', async (t) => {
  const node = await toolchainFor([process.execPath], '');
  const { kind } = await preflight({ searchPath: process.env.PATH ?? '', node: process.execPath });
  if (kind === 'none') return t.skip('needs a sandbox: neither bubblewrap nor util-linux works here');
  const folder = fileURLToPath(new URL('../fixtures', import.meta.url));
  const profile = {
    binds: [...node.binds, { from: folder, to: '/server', access: 'read' as const }],
    masked: [],
    environment: node.environment,
    workingDirectory: '/server',
    limits: defaultLimits,
  };
  const spec: ServerSpec = {
    ...{ name: 'suspicious', trust: 'third-party', command: process.execPath, environment: {}, profile },
    args: ['/server/suspicious-server.mjs'],
    tiers: { honest: 'read', long: 'read', hidden: 'read', english: 'read', chinese: 'read', deep: 'read' },
  };
  const sandbox = { kind, searchPath: process.env.PATH ?? '' };
  const house = await openHouse(t, { servers: () => [spec], sandbox });
  const names = ['honest', 'long', 'hidden', 'english', 'chinese', 'deep'].map((name) => `suspicious__${name}`);
  const rules = await Promise.all(
    names.map(async (name) => ruleOf(await house.call(name, {}, { context: { tools: names } }))),
  );
  assert.deepEqual(rules, [
    'result',
    'resolve/description-too-long',
    ...Array(4).fill('resolve/description-suspicious'),
  ]);
  assert.equal(house.gateway.health()[0]?.containment, kind);
});

test('G8: without a sandbox a third-party server is not started', async (t) => {
  const house = await openHouse(t, { servers: (folder) => [mailServer(folder, { trust: 'third-party' })] });
  const outcome = await house.call('mail__read_inbox');
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.failure.code, 'no-sandbox');
  assert.equal(house.gateway.health()[0]?.starts, 0);
  assert.deepEqual(house.ledger(), []);
});
