/**
 * A process that writes to a data folder for the tests: `node testing-process.ts HOME MODE NAME COUNT`. Prints one line
 * for each write that was acknowledged.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type AuditDraft, CapstanError, type Lease } from '@capstan/contracts';
import { openStorage, type Storage } from './open-storage.ts';
import { processHolder } from './process-holder.ts';
import { countedIds, sampleTask } from './testing.ts';

const [home = '', mode = '', name = '', count = '0'] = process.argv.slice(2);

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function draft(index: number): AuditDraft {
  return {
    kind: 'decision',
    actor: name,
    agent: 'coder',
    server: 'fs-write',
    tool: 'write_file',
    callId: `${name}:${index}`,
    argumentDigest: 'digest',
    arguments: '{}',
    decision: 'allow',
    rule: 'contained',
  };
}

/** Writes of every kind, in a session of its own. */
async function own(storage: Storage, writes: number): Promise<void> {
  if ((await storage.findSession(name)) === undefined)
    await storage.createSession({ repository: '/r', sessionId: name });
  const lease = await storage.acquireLease(name, processHolder(), 600_000);
  if (lease === undefined) throw new Error('held');
  say(`lease ${lease.epoch}`);
  const session = storage.session(lease);
  const first = (await session.events.read()).length;
  for (let index = first; index < first + writes; index += 1) {
    const reason = index % 5 === 0 ? `${index} ${'x'.repeat(20_000)}` : `${index}`;
    await session.calls.begin(`call-${index}`, 'digest');
    say(`intended ${index}`);
    const event = await session.events.append(`e-${index}`, { type: 'attempt-fail', attempt: 1, reason });
    say(`event ${event.number}`);
    const row = await session.audit.append(draft(index));
    say(`audit ${row.number}`);
    await session.calls.complete(`call-${index}`, { content: [], isError: false, label: sampleTask.label });
    say(`done ${index}`);
  }
}

/** Many processes, one session: each takes the lease when it can and writes a few events. */
async function shared(storage: Storage, writes: number): Promise<void> {
  for (let written = 0; written < writes; ) {
    const lease = await storage.acquireLease('shared', processHolder(), 600_000);
    if (lease === undefined) await pause(3);
    else written += await turn(storage, lease, written, writes);
  }
}

async function turn(storage: Storage, lease: Lease, from: number, to: number): Promise<number> {
  const session = storage.session(lease);
  const end = Math.min(to, from + 3);
  for (let index = from; index < end; index += 1) {
    const reason = JSON.stringify({ name, epoch: lease.epoch });
    await session.events.append(`${name}-${index}`, { type: 'attempt-fail', attempt: 1, reason });
    say(`event ${index}`);
  }
  await storage.releaseLease(lease);
  return end - from;
}

/** Opens, says the key, and ends. */
async function opened(storage: Storage): Promise<void> {
  say(Buffer.from(storage.auditKey).toString('hex'));
}

/** Collects all that may go, however young it is. */
async function collect(storage: Storage): Promise<void> {
  const retention = { endedMilliseconds: 0, unappliedMilliseconds: 0, maximumSessions: 0, maximumBytes: 0 };
  const report = await storage.collectGarbage({ retention, dryRun: false });
  for (const { sessionId } of report.removed) say(`removed ${sessionId}`);
}

const modes: Record<string, (storage: Storage, count: number) => Promise<void>> = {
  own,
  shared,
  collect,
  open: opened,
};
const run = modes[mode];
if (run === undefined) throw new CapstanError('internal', `no mode ${mode}`);
const storage = openStorage({ home, clock: Date, ids: countedIds(), redact: (text) => text });
// Writing beyond a limit of file size is then an error of the write, not the end of the process.
process.on('SIGXFSZ', () => {});
try {
  await run(storage, Number(count));
} catch (error) {
  say(`failed ${error instanceof CapstanError ? `${error.code} ${error.message}` : String(error)}`);
  process.exitCode = 1;
}
storage.close();
