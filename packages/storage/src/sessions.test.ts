import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CapstanError } from '@capstan/contracts';
import { processHolder } from './index.ts';
import { holderState } from './process-holder.ts';
import { openSession, openTemporary, sampleTask, takeLease } from './testing.ts';

const leaseLost = (error: unknown): boolean => error instanceof CapstanError && error.code === 'lease-lost';

test('sessions and runs are kept over a restart', async (t) => {
  const { storage, home } = openTemporary(t);
  const session = await storage.createSession({ repository: '/repository' });
  const lease = await takeLease(storage, session.sessionId);
  const first = await storage.createRun(session.sessionId, sampleTask, lease);
  const second = await storage.createRun(session.sessionId, sampleTask, lease);
  await storage.updateRun(lease, second.runId, { status: 'running', lives: 1 });
  await storage.updateRun(lease, second.runId, { exitCode: 3 });
  storage.close();

  const { storage: again } = openTemporary(t, { home });
  assert.deepEqual(await again.listSessions(), [session]);
  assert.equal(session.workspace, join(home, 'worktrees', session.sessionId));
  assert.deepEqual(await again.findRun(first.runId), first);
  assert.deepEqual(first, {
    runId: first.runId,
    sessionId: session.sessionId,
    task: sampleTask,
    status: 'queued',
    lives: 0,
    exitCode: null,
    createdAt: 1_000_000,
  });
  assert.deepEqual(await again.latestRun(session.sessionId), { ...second, status: 'running', lives: 1, exitCode: 3 });
  assert.equal(await again.findSession('absent'), undefined);
  assert.equal(await again.findRun('absent'), undefined);
});

test('the data folder is private', async (t) => {
  const { storage, home } = openTemporary(t);
  await takeLease(storage);
  await storage.blobs.put(Buffer.from('x'));
  for (const file of ['capstan.db', 'capstan.db-wal', 'audit.key']) {
    assert.equal(statSync(join(home, file)).mode & 0o777, 0o600, file);
  }
  assert.equal(statSync(join(home, 'blobs')).mode & 0o777, 0o700);
});

test('session ids that are not names of folders are refused, and so is a second session with one id', async (t) => {
  const { storage } = openTemporary(t);
  for (const sessionId of ['../up', '', '.hidden', 'a/b', 'a\0b', 'x'.repeat(101)]) {
    await assert.rejects(storage.createSession({ repository: '/r', sessionId }), CapstanError);
  }
  await storage.createSession({ repository: '/r', sessionId: 's-1' });
  await assert.rejects(storage.createSession({ repository: '/other', sessionId: 's-1' }), CapstanError);
  assert.equal((await storage.findSession('s-1'))?.repository, '/r');
});

test('S4: one holder at a time, until release or expiry, and the epoch grows', async (t) => {
  const { storage, clock } = openTemporary(t);
  const first = await takeLease(storage);
  assert.equal(first.epoch, 1);
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 1000), undefined);
  assert.equal(await storage.acquireLease('s-1', 'holder-1', 1000), undefined);
  clock.time += 59_999;
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 1000), undefined);
  assert.equal(await storage.renewLease(first, 60_000), true);
  clock.time += 59_999;
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 1000), undefined);
  clock.time += 1;
  const second = await storage.acquireLease('s-1', 'holder-2', 1000);
  assert.equal(second?.epoch, 2);
  assert.equal(await storage.renewLease(first, 60_000), false);
  await storage.releaseLease(first);
  assert.equal(await storage.acquireLease('s-1', 'holder-3', 1000), undefined);
  await storage.releaseLease(second);
  assert.equal((await storage.acquireLease('s-1', 'holder-1', 1000))?.epoch, 3);
});

test('S4: every write of a lease that was lost is refused, and leaves nothing', async (t) => {
  const { storage, session, lease, clock } = await openSession(t);
  const run = await storage.createRun('s-1', sampleTask, lease);
  await session.events.append('start', { type: 'run-resume', runId: run.runId, life: 1 });
  await session.calls.begin('call-1', 'digest');
  const question = { callId: 'c', argumentDigest: 'd', tool: 't', rule: 'r', summary: 's', expiresAt: 9e9 };
  await session.approvals.request(question);
  await storage.decideApproval('s-1', 'c', 'd', 'approved', 'me');
  const saver = await storage.checkpointer(lease);
  clock.time += 60_001;
  const next = await takeLease(storage, 's-1', 'holder-2');
  const audit = {
    kind: 'decision',
    actor: 'a',
    agent: 'a',
    server: 's',
    tool: 't',
    callId: 'c',
    argumentDigest: 'd',
    arguments: '{}',
    decision: 'allow',
    rule: 'r',
  } as const;
  const checkpoint = { v: 4, id: '1', ts: '', channel_values: {}, channel_versions: {}, versions_seen: {} };
  const config = { configurable: { thread_id: run.runId, checkpoint_id: '1' } };
  const writes: Record<string, () => Promise<unknown>> = {
    event: () => session.events.append('late', { type: 'run-resume', runId: run.runId, life: 2 }),
    'event again': () => session.events.append('start', { type: 'run-resume', runId: run.runId, life: 1 }),
    begin: () => session.calls.begin('call-2', 'digest'),
    complete: () => session.calls.complete('call-1', { content: [], isError: false, label: sampleTask.label }),
    answer: () => session.answers.begin('answer-1', 'digest'),
    request: () => session.approvals.request({ ...question, callId: 'c2' }),
    consume: () => session.approvals.consume('c', 'd'),
    grant: () => session.approvals.addGrant({ id: 'g', tool: 't', grantedBy: 'me' }),
    audit: () => session.audit.append(audit),
    run: () => storage.createRun('s-1', sampleTask, lease),
    'run change': () => storage.updateRun(lease, run.runId, { lives: 7 }),
    checkpoint: () => saver.put(config, checkpoint, { source: 'loop', step: 0, parents: {} }, {}),
    'checkpoint writes': () => saver.putWrites(config, [['a', 1]], 'task'),
    'thread removal': () => saver.deleteThread(run.runId),
  };
  for (const [name, write] of Object.entries(writes)) await assert.rejects(write(), leaseLost, name);

  const successor = storage.session(next);
  assert.equal((await successor.events.read()).length, 1);
  assert.deepEqual(await successor.calls.begin('call-1', 'digest'), { state: 'intended', sameDigest: true });
  assert.equal((await successor.approvals.find('c', 'd'))?.status, 'approved');
  assert.deepEqual(await successor.approvals.grants(), []);
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 0 });
  assert.equal((await storage.findRun(run.runId))?.lives, 0);
  assert.equal(await saver.getTuple(config), undefined);
});

test('a released lease writes no more, and a lease is good for its own session only', async (t) => {
  const { storage, session, lease } = await openSession(t);
  const other = await takeLease(storage, 's-2');
  await assert.rejects(storage.createRun('s-1', sampleTask, other), CapstanError);
  const run = await storage.createRun('s-1', sampleTask, lease);
  await assert.rejects(storage.updateRun(other, run.runId, { lives: 1 }), CapstanError);
  await storage.releaseLease(lease);
  await assert.rejects(session.calls.begin('k', 'd'), leaseLost);
});

test('S3: the lease of a process that was killed is taken over at once, a live one is not', async (t) => {
  if (process.platform !== 'linux') return t.skip('needs /proc: holders are told dead from alive on Linux only');
  const { storage } = openTemporary(t);
  await storage.createSession({ repository: '/r', sessionId: 's-1' });
  const file = JSON.stringify(new URL('./process-holder.ts', import.meta.url).href);
  const script = `import(${file}).then((m) => { console.log(m.processHolder()); setInterval(() => {}, 1000); })`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const holder = String(line).trim();
  assert.equal(holderState(holder), 'alive');
  assert.equal((await storage.acquireLease('s-1', holder, 60_000))?.epoch, 1);
  assert.equal(await storage.acquireLease('s-1', processHolder(), 60_000), undefined);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal((await storage.acquireLease('s-1', processHolder(), 60_000))?.epoch, 2);
});

test('S3: a zombie counts as dead', async (t) => {
  if (process.platform !== 'linux') return t.skip('needs /proc: holders are told dead from alive on Linux only');
  // The shell's child ends and is not waited for, because the shell has become `sleep`.
  const parent = spawn('sh', ['-c', 'sh -c \'cut -d" " -f22 /proc/$$/stat; echo $$; read x\' & exec sleep 60'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => parent.kill('SIGKILL'));
  let output = '';
  for await (const chunk of parent.stdout) {
    output += chunk;
    if (output.split('\n').length >= 3) break;
  }
  const [ticks, pid] = output.split('\n');
  assert.match(`${pid}:${ticks}`, /^\d+:\d+$/);
  while (holderState(`${pid}:${ticks}`) !== 'dead') await new Promise((resolve) => setTimeout(resolve, 5));
  process.kill(Number(pid), 0);
});

test('S4: what cannot be proved dead is not dead', (t) => {
  if (process.platform !== 'linux') return t.skip('needs /proc: holders are told dead from alive on Linux only');
  const [pid, ticks, scope] = processHolder().split(':');
  assert.equal(holderState(`${pid}:${ticks}:${scope}`), 'alive');
  assert.equal(holderState(`${pid}:${Number(ticks) + 1}:${scope}`), 'dead', 'the pid was used again');
  assert.equal(holderState(`${pid}:${ticks}:${scope}:run-7`), 'alive', 'more may follow');
  assert.equal(holderState(`${pid}:${Number(ticks) + 1}:another-container`), 'unknown');
  assert.equal(holderState('a worker of another machine'), 'unknown');
  assert.equal(holderState('2147483647:1'), 'dead');
});

test('F7: a clock that jumps takes no lease from a process that lives', async (t) => {
  const { storage, clock } = openTemporary(t);
  const lease = await takeLease(storage, 's-1', processHolder());
  clock.time += 10 * 60 * 60_000;
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 60_000), undefined, 'forward: it has not run out');
  assert.equal(await storage.renewLease(lease, 60_000), true);
  clock.time -= 20 * 60 * 60_000;
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 60_000), undefined, 'back: nor has it now');
  assert.equal(await storage.renewLease(lease, 60_000), true);
  await storage.releaseLease(lease);
  assert.ok(await storage.acquireLease('s-1', 'holder-2', 60_000));
});

test('F7: a clock that was set back leaves no lease in force for hours when nobody can tell whether its holder lives', async (t) => {
  const { storage, clock } = openTemporary(t);
  const lease = await takeLease(storage, 's-1', 'a worker of another machine');
  clock.time -= 10 * 60 * 60_000;
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 60_000), undefined);
  assert.equal(await storage.renewLease(lease, 60_000), true, 'a holder that lives renews it by the new clock');
  clock.time += 59_000;
  assert.equal(await storage.acquireLease('s-1', 'holder-2', 60_000), undefined);
  clock.time += 2000;
  assert.equal((await storage.acquireLease('s-1', 'holder-2', 60_000))?.epoch, 2);
});

test('F7: events keep their order whatever the clock says', async (t) => {
  const { session, clock } = await openSession(t);
  for (const jump of [0, 36_000_000, -72_000_000, 1]) {
    clock.time += jump;
    await session.events.append(`e${jump}`, { type: 'attempt-fail', attempt: 1, reason: String(jump) });
  }
  const rows = await session.events.read();
  assert.deepEqual(
    rows.map(({ number, body }) => [number, body.type === 'attempt-fail' ? body.reason : '']),
    [
      [1, '0'],
      [2, '36000000'],
      [3, '-72000000'],
      [4, '1'],
    ],
  );
});
