import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SessionRow } from '@capstan/contracts';
import fc from 'fast-check';
import { findSession } from './find-session.ts';

function row(sessionId: string, repository = '/r', createdAt = 0): SessionRow {
  return { sessionId, repository, workspace: `/w/${sessionId}`, createdAt, status: 'open' };
}

const storageOf = (...rows: SessionRow[]) => ({ listSessions: async () => rows });

async function idOf(word: string, rows: SessionRow[], folder = '/'): Promise<string> {
  return (await findSession(word, storageOf(...rows), folder)).sessionId;
}

test('X1: a session is found by its id and by a beginning that no other has, with and without the word before it', async () => {
  const rows = [row('session-ab12'), row('session-ab34'), row('session-c')];
  assert.equal(await idOf('session-ab12', rows), 'session-ab12');
  assert.equal(await idOf('session-ab3', rows), 'session-ab34');
  assert.equal(await idOf('ab3', rows), 'session-ab34');
  assert.equal(await idOf('c', rows), 'session-c');
  assert.equal(await idOf('session-a', [row('session-a'), row('session-ab')]), 'session-a', 'a whole id is itself');
});

test('X1: a beginning that several have names them; one that none has says where to look', async () => {
  const rows = Array.from({ length: 7 }, (_, at) => row(`session-a${at}`));
  await assert.rejects(idOf('a', rows), {
    code: 'ambiguous-session',
    exitCode: 2,
    message: '7 sessions begin with a.',
    hint: /session-a6, session-a5, .* and 2 more$/,
  });
  for (const word of ['x', '', '../..', '__proto__']) {
    await assert.rejects(idOf(word, rows), { code: 'unknown-session', hint: /capstan sessions/ });
  }
});

test('X1: every beginning of an id finds it, or is ambiguous', async () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{4}$/), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(ids, fc.nat(), fc.integer({ min: 1, max: 4 }), async (hex, pick, length) => {
      const rows = hex.map((id) => row(`session-${id}`));
      const prefix = (hex[pick % hex.length] ?? '').slice(0, length);
      const matches = hex.filter((id) => id.startsWith(prefix));
      if (matches.length === 1) assert.equal(await idOf(prefix, rows), `session-${matches[0]}`);
      else await assert.rejects(idOf(prefix, rows), { code: 'ambiguous-session' });
    }),
  );
});

test('X1: last is the newest of the checkout that one stands in, elsewhere the newest of all', async (t) => {
  const [here, there, elsewhere] = [checkout(t), checkout(t), folder(t)];
  const rows = [row('session-1', here), row('session-2', here), row('session-3', there)];
  mkdirSync(join(here, 'src'));
  assert.equal(await idOf('last', rows, join(here, 'src')), 'session-2');
  assert.equal(await idOf('last', rows, elsewhere), 'session-3');
  await assert.rejects(idOf('last', rows.slice(2), here), { code: 'unknown-session', message: new RegExp(here) });
  await assert.rejects(idOf('last', [], elsewhere), { code: 'unknown-session' });
});

function folder(t: TestContext): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-find-')));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function checkout(t: TestContext): string {
  const root = folder(t);
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  return root;
}
