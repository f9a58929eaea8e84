import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CapstanError } from '@capstan/contracts';
import type { ServerSpec } from '../server-spec.ts';
import { listServerTools } from './list-server-tools.ts';

const fixture = fileURLToPath(new URL('../fixtures/suspicious-server.mjs', import.meta.url));
const spec = (args: readonly string[], more: Partial<ServerSpec> = {}): ServerSpec => ({
  name: 'one',
  trust: 'reviewed',
  command: process.execPath,
  args,
  environment: {},
  ...more,
});
const list = (server: ServerSpec, signal = new AbortController().signal, milliseconds = 20_000) =>
  listServerTools(server, { sandbox: { kind: 'none', searchPath: '' }, signal, milliseconds });

test('T5: a server is started, asked for its whole list, and ended', async () => {
  const tools = await list(spec([fixture]));
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['honest', 'long', 'hidden', 'english', 'chinese', 'deep'],
  );
});

test('G8: a third-party server is not started where no sandbox works', async () => {
  await assert.rejects(list(spec([fixture], { trust: 'third-party' })), (error) => {
    return error instanceof CapstanError && error.code === 'no-sandbox' && error.hint !== undefined;
  });
});

test('T5: of a server that ends or never answers, its last words are told, and no process is left', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-list-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const noted = join(folder, 'pid');
  const script = (then: string) =>
    `require('node:fs').writeFileSync(${JSON.stringify(noted)}, String(process.pid)); console.error('no key'); ${then}`;
  for (const then of ['process.exit(1)', 'setInterval(() => undefined, 1000)']) {
    await assert.rejects(list(spec(['-e', script(then)]), undefined, 3000), (error) => {
      return error instanceof CapstanError && error.code === 'server-failed' && error.hint === 'It said: no key';
    });
    assert.ok(!existsSync(`/proc/${readFileSync(noted, 'utf8')}`));
  }
});

test('T5: who stops waiting ends the server', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(list(spec(['-e', 'setInterval(() => undefined, 1000)']), stop.signal, 60_000));
});
