import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type AuditDraft, CapstanError } from '@capstan/contracts';
import { createRedactor } from '@capstan/telemetry';
import { auditColumns } from './audit-row.ts';
import { openSession, openTemporary, takeLease } from './testing.ts';

const auditBroken = (error: unknown): boolean => error instanceof CapstanError && error.code === 'audit-broken';

function draft(index: number): AuditDraft {
  return {
    kind: index % 2 === 0 ? 'decision' : 'result',
    actor: 'ada',
    agent: 'coder',
    server: 'fs-write',
    tool: 'write_file',
    callId: `run-1:${index}:0`,
    argumentDigest: `digest-${index}`,
    arguments: `{"path":"a-${index}.txt"}`,
    decision: 'allow',
    rule: 'contained',
    ...(index % 2 === 0 ? {} : { approvedBy: 'ada', resultDigest: 'result', durationMs: 1.5 }),
  };
}

/** A folder with six rows, closed. */
async function filledHome(t: Parameters<typeof openSession>[0]): Promise<string> {
  const { storage, session, home } = await openSession(t);
  for (let index = 1; index <= 6; index += 1) await session.audit.append(draft(index));
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 6 });
  storage.close();
  return home;
}

async function verdictAfter(t: Parameters<typeof openSession>[0], home: string, ...statements: string[]) {
  const connection = new DatabaseSync(join(home, 'capstan.db'));
  for (const statement of statements) {
    assert.ok(Number(connection.prepare(statement).run().changes) > 0, `${statement} changed something`);
  }
  connection.close();
  const { storage } = openTemporary(t, { home });
  return { storage, verdict: await storage.verifyAudit() };
}

test('G11: rows are numbered over all sessions, chained, redacted, and can be filtered', async (t) => {
  const { storage, session } = await openSession(t, { redact: createRedactor(['hunter2-hunter2']) });
  const other = storage.session(await takeLease(storage, 's-2'));
  const first = await session.audit.append({ ...draft(1), arguments: '{"password":"hunter2-hunter2"}' });
  const second = await other.audit.append(draft(2));
  assert.equal(first.arguments, '{"password":"***"}');
  assert.deepEqual([first.number, second.number, second.previousHash], [1, 2, first.hash]);
  assert.deepEqual(await storage.readAudit(), [first, second]);
  assert.deepEqual(await storage.readAudit({ sessionId: 's-2' }), [second]);
  assert.deepEqual(await storage.readAudit({ callId: first.callId }), [first]);
  assert.deepEqual(await storage.readAudit({ after: 1 }), [second]);
  assert.deepEqual(await storage.verifyAudit(), { ok: true, rows: 2 });
});

for (const column of auditColumns.filter((name) => name !== 'number')) {
  test(`G11: a change of the column ${column} is found, in the middle and at the end`, async (t) => {
    for (const row of [3, 6]) {
      const home = await filledHome(t);
      const numeric = column === 'at' || column === 'duration_ms';
      const value = numeric ? `coalesce(${column}, 0) + 1` : `coalesce(${column}, '') || 'x'`;
      const { verdict } = await verdictAfter(t, home, `UPDATE audit SET ${column} = ${value} WHERE number = ${row}`);
      assert.equal(verdict.ok, false);
      if (!verdict.ok) assert.ok(verdict.number === row || verdict.number === row + 1, `row ${verdict.number}`);
    }
  });
}

const insertion = `INSERT INTO audit SELECT 7, ${auditColumns.slice(1).join(', ')} FROM audit WHERE number = 6`;
const shift = 'UPDATE audit SET number = number + 10 WHERE number > 3';
const attacks: Record<string, [number: number, ...statements: string[]]> = {
  'a null made of a text': [1, 'UPDATE audit SET approved_by = NULL WHERE number = 1'],
  'an empty text made of a null': [2, "UPDATE audit SET approved_by = '' WHERE number = 2"],
  'a row deleted in the middle': [3, 'DELETE FROM audit WHERE number = 3'],
  'the first row deleted': [1, 'DELETE FROM audit WHERE number = 1'],
  'the last row deleted': [6, 'DELETE FROM audit WHERE number = 6'],
  'all rows deleted': [1, 'DELETE FROM audit'],
  'a row deleted and the rest moved up': [
    3,
    'DELETE FROM audit WHERE number = 3',
    'UPDATE audit SET number = number - 1 WHERE number > 3',
  ],
  'a row added at the end': [7, insertion],
  'a row inserted in the middle': [
    4,
    shift,
    `INSERT INTO audit SELECT 4, ${auditColumns.slice(1).join(', ')} FROM audit WHERE number = 3`,
  ],
  'a row numbered 0': [
    1,
    `INSERT INTO audit SELECT 0, ${auditColumns.slice(1).join(', ')} FROM audit WHERE number = 1`,
  ],
  'two rows exchanged': [
    2,
    'UPDATE audit SET number = 100 WHERE number = 2',
    'UPDATE audit SET number = 2 WHERE number = 3',
    'UPDATE audit SET number = 3 WHERE number = 100',
  ],
  'the end cut off and the count set back': [
    0,
    'DELETE FROM audit WHERE number = 6',
    'UPDATE audit_head SET count = 5, hash = (SELECT hash FROM audit WHERE number = 5)',
  ],
  'the seal changed': [0, "UPDATE audit_head SET seal = '0'"],
  'the head deleted': [0, 'DELETE FROM audit_head'],
};
for (const [name, [number, ...statements]] of Object.entries(attacks)) {
  test(`G11: ${name} is found`, async (t) => {
    const { verdict } = await verdictAfter(t, await filledHome(t), ...statements);
    assert.equal(verdict.ok, false);
    if (!verdict.ok) assert.equal(verdict.number, number, verdict.reason);
  });
}

test('G11: appending after rows were cut off does not hide that', async (t) => {
  const { storage, verdict } = await verdictAfter(t, await filledHome(t), 'DELETE FROM audit WHERE number >= 5');
  assert.equal(verdict.ok, false);
  const session = storage.session(await takeLease(storage, 's-9'));
  const row = await session.audit.append(draft(7));
  assert.equal(row.number, 7);
  const after = await storage.verifyAudit();
  assert.deepEqual(after.ok ? after : after.number, 5);
});

test('G11: with a changed head nothing more is appended', async (t) => {
  const { storage } = await verdictAfter(t, await filledHome(t), 'UPDATE audit_head SET count = 5');
  const session = storage.session(await takeLease(storage, 's-9'));
  await assert.rejects(session.audit.append(draft(7)), auditBroken);
});

test('G11: another key is found; a missing or damaged one is refused and not replaced', async (t) => {
  const home = await filledHome(t);
  const key = join(home, 'audit.key');
  copyFileSync(key, `${key}.copy`);
  writeFileSync(key, Buffer.alloc(32, 7));
  const { storage } = openTemporary(t, { home });
  assert.equal((await storage.verifyAudit()).ok, false);
  storage.close();
  writeFileSync(key, 'short');
  assert.throws(() => openTemporary(t, { home }), auditBroken);
  rmSync(key);
  assert.throws(() => openTemporary(t, { home }), auditBroken);
  assert.throws(() => readFileSync(key), { code: 'ENOENT' });
  copyFileSync(`${key}.copy`, key);
  assert.deepEqual(await openTemporary(t, { home }).storage.verifyAudit(), { ok: true, rows: 6 });
});
