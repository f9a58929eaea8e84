import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverLog } from './server-log.ts';

test('G10: words of servers are kept one line each, without secrets and control characters, for the owner alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const redact = (text: string): string => text.replaceAll('hunter2', '***');
  const log = serverLog(join(folder, 'servers.log'), redact, { now: () => 0 });
  log.append('exec: key hunter2');
  log.append('mail: two\n  lines\u001b[2J');
  const lines = ['1970-01-01T00:00:00.000Z exec: key ***', '1970-01-01T00:00:00.000Z mail: two lines\\u{1b}[2J', ''];
  assert.equal(readFileSync(log.path, 'utf8'), lines.join('\n'));
  assert.equal(statSync(log.path).mode & 0o777, 0o600);
  writeFileSync(log.path, 'x'.repeat(4 * 1024 * 1024 + 1));
  log.append('exec: again');
  assert.ok(existsSync(`${log.path}.old`));
  assert.match(readFileSync(log.path, 'utf8'), /^\S+ exec: again\n$/);
});

test('G10: a log that cannot be written ends nothing', () => {
  serverLog('/dev/null/servers.log', (text) => text, { now: () => 0 }).append('exec: words');
});
