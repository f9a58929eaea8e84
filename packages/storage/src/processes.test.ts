import assert from 'node:assert/strict';
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTemporary, takeLease, temporaryHome } from './testing.ts';

const program = fileURLToPath(new URL('./testing-process.ts', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** The exit code, or the signal. */
  readonly end: Promise<number | string>;
  /** Resolves when so many lines have come, or the process has ended. */
  until(lines: number): Promise<void>;
}

function start(t: TestContext, ...parameters: string[]): Running {
  return follow(t, spawn(process.execPath, [program, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function follow(t: TestContext, child: ChildProcessByStdio<null, Readable, null>): Running {
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting: { lines: number; resolve: () => void }[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const one of waiting) if (lines.length >= one.lines) one.resolve();
  });
  const end = once(child, 'close').then(([code, signal]) => {
    for (const one of waiting) one.resolve();
    return (code ?? signal) as number | string;
  });
  return { child, lines, end, until: (count) => new Promise((resolve) => waiting.push({ lines: count, resolve })) };
}

test('S1: several processes that create one data folder at once end with one database and one key', async (t) => {
  const home = temporaryHome(t);
  const all = [1, 2, 3, 4, 5].map(() => start(t, home, 'open', 'x', '0'));
  assert.deepEqual(await Promise.all(all.map((one) => one.end)), [0, 0, 0, 0, 0]);
  assert.equal(new Set(all.flatMap((one) => one.lines)).size, 1);
  assert.deepEqual(await openTemporary(t, { home }).storage.verifyAudit(), { ok: true, rows: 0 });
});

test('S1: several processes write to one folder at once: nothing is lost, numbers have no gaps, one audit chain', async (t) => {
  const home = temporaryHome(t);
  const names = ['p-1', 'p-2', 'p-3', 'p-4'];
  const all = names.map((name) => start(t, home, 'own', name, '40'));
  assert.deepEqual(await Promise.all(all.map((one) => one.end)), [0, 0, 0, 0]);
  const { storage } = openTemporary(t, { home });
  for (const name of names) {
    const rows = await storage.readEvents(name);
    assert.deepEqual(
      rows.map((row) => row.number),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    assert.equal((await storage.readAudit({ sessionId: name })).length, 40);
  }
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 160 });
});

test('S4: several processes want one session: one holds it at a time, each epoch is one unbroken stretch of the log', async (t) => {
  const { storage, home } = openTemporary(t);
  await storage.createSession({ repository: '/r', sessionId: 'shared' });
  const names = ['p-1', 'p-2', 'p-3', 'p-4'];
  const all = names.map((name) => start(t, home, 'shared', name, '15'));
  assert.deepEqual(await Promise.all(all.map((one) => one.end)), [0, 0, 0, 0]);
  const rows = await storage.readEvents('shared');
  assert.deepEqual(
    rows.map((row) => row.number),
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  const holders = new Map<number, string>();
  let last = 0;
  for (const { body } of rows) {
    assert.equal(body.type, 'attempt-fail');
    if (body.type !== 'attempt-fail') continue;
    const { name, epoch } = JSON.parse(body.reason) as { name: string; epoch: number };
    assert.ok(epoch >= last, 'no earlier holder writes after a later one');
    assert.equal(holders.get(epoch) ?? name, name, 'one holder for each epoch');
    holders.set(epoch, name);
    last = epoch;
  }
});

/** The numbers that a process acknowledged with this word. */
function acknowledged(lines: readonly string[], word: string): number[] {
  return lines.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.split(' ')[1]));
}

test('S3: a file that may not grow (as on a full disk) fails the write, loses nothing before it, and can go on later', async (t) => {
  const home = temporaryHome(t);
  const limited = spawn(
    'sh',
    ['-c', 'ulimit -f 2000 && exec "$@"', 'sh', process.execPath, program, home, 'own', 'p-1', '5000'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const first = follow(t, limited);
  assert.equal(await first.end, 1);
  assert.match(first.lines.at(-1) ?? '', /^failed storage-failed/);
  assert.ok(acknowledged(first.lines, 'event').length > 5);
  assert.equal(await start(t, home, 'own', 'p-1', '10').end, 0);
  const { storage } = openTemporary(t, { home });
  const rows = await storage.readEvents('p-1');
  assert.ok(rows.length >= Math.max(...acknowledged(first.lines, 'event')) + 10);
  assert.equal(rows.at(-1)?.number, rows.length);
  assert.equal((await storage.verifyAudit()).ok, true);
});

test('S3: kill -9 in the middle of writes: what was acknowledged is there, nothing is half-written, the next process goes on', async (t) => {
  const home = temporaryHome(t);
  let epoch = 0;
  for (const [life, killAfter] of [3, 10, 17, 24, 38, 41].entries()) {
    const writer = start(t, home, 'own', 'victim', '100000');
    await writer.until(killAfter);
    writer.child.kill('SIGKILL');
    assert.equal(await writer.end, 'SIGKILL');
    const said = (word: string) => acknowledged(writer.lines, word);

    const { storage } = openTemporary(t, { home, clock: Date });
    const events = await storage.readEvents('victim');
    assert.ok(events.length >= Math.max(0, ...said('event')), 'acknowledged events are there');
    events.forEach((row, index) => {
      assert.equal(row.number, index + 1);
      const expected = index % 5 === 0 ? `${index} ${'x'.repeat(20_000)}` : `${index}`;
      assert.deepEqual(row.body, { type: 'attempt-fail', attempt: 1, reason: expected });
    });
    const verdict = await storage.verifyAudit();
    assert.ok(verdict.ok && verdict.rows >= Math.max(0, ...said('audit')), JSON.stringify(verdict));

    assert.deepEqual(said('lease'), [epoch + 1], 'the lease of the killed process was taken over at once');
    const lease = await takeLease(storage, 'victim', 'the next');
    epoch = lease.epoch;
    const { calls } = storage.session(lease);
    for (const index of said('intended')) {
      const entry = await calls.begin(`call-${index}`, 'digest');
      assert.notEqual(entry.state, 'new', `life ${life}, call ${index}`);
      if (said('done').includes(index)) assert.equal(entry.state, 'done');
    }
    await storage.releaseLease(lease);
    storage.close();
  }
});
