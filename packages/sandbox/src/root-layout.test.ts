import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { SandboxBind } from '@capstan/contracts';
import { defaultLimits } from './default-limits.ts';
import { viewHost } from './host-view.ts';
import { planRoot } from './root-layout.ts';

suite('G8: the private root', () => {
  let base = '';
  before(() => {
    base = mkdtempSync(join(tmpdir(), 'capstan-layout-'));
    mkdirSync(join(base, 'one/sub'), { recursive: true });
    mkdirSync(join(base, 'two'));
    writeFileSync(join(base, 'one/.env'), '');
    writeFileSync(join(base, 'one/sub/.env'), '');
    symlinkSync('sub/.env', join(base, 'one/pointer'));
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  const plan = (binds: SandboxBind[], masked: string[] = []) =>
    planRoot({ binds, masked, environment: {}, workingDirectory: '/', limits: defaultLimits }, viewHost());
  const bind = (from: string, to: string): SandboxBind => ({ from: join(base, from), to, access: 'write' });
  const hidden = (binds: SandboxBind[], masked: string[]): string[] =>
    plan(
      binds,
      masked.map((path) => join(base, path)),
    ).hidden.map(({ at }) => at);

  test('G8: a hidden file is hidden wherever it shows', () => {
    assert.deepEqual(hidden([bind('one', '/w')], ['one/.env']), ['/w/.env']);
    assert.deepEqual(hidden([bind('one', '/w'), bind('one/sub', '/s')], ['one/sub/.env']), ['/w/sub/.env', '/s/.env']);
    assert.deepEqual(hidden([bind('one', '/w')], ['one/sub']), ['/w/sub']);
  });

  test('G8: hiding a link hides what it points to', () => {
    assert.deepEqual(hidden([bind('one', '/w')], ['one/pointer']), ['/w/sub/.env']);
  });

  test('G8: what is covered, outside or absent needs no hiding', () => {
    assert.deepEqual(hidden([bind('one', '/w'), bind('two', '/w/sub')], ['one/sub/.env']), []);
    assert.deepEqual(hidden([bind('two', '/w')], ['one/.env', 'one/absent']), []);
  });

  test('G8: no part of the system that holds accounts, keys or state is bound', () => {
    const sources = plan([]).system.map(({ from }) => from);
    for (const path of [
      '/',
      '/etc',
      '/etc/ssl',
      '/etc/shadow',
      '/etc/passwd',
      '/var',
      '/run',
      '/root',
      '/home',
      '/sys',
    ]) {
      assert.ok(!sources.includes(path), path);
    }
    assert.ok(plan([]).system.every(({ access }) => access === 'read'));
  });

  test('G8: what keeps the writes of an overlay is neither shown nor used twice', () => {
    const overlay = (from: string, to: string, upper: string): SandboxBind => ({
      from: join(base, from),
      to,
      access: 'overlay',
      upper: join(base, upper),
    });
    const [laid] = plan([overlay('one', '/w', 'two')]).binds;
    assert.deepEqual([laid?.access, laid?.upper], ['overlay', join(base, 'two')]);
    const refused: SandboxBind[][] = [
      [overlay('one', '/w', 'one')],
      [overlay('one', '/w', 'one/sub')],
      [overlay('one/sub', '/w', 'one')],
      [overlay('one', '/w', 'absent')],
      [overlay('one', '/w', 'one/.env')],
      [overlay('one/.env', '/w', 'two')],
      [overlay('one', '/w', 'two'), bind('two', '/seen')],
      [overlay('one', '/w', 'two'), overlay('one/sub', '/v', 'two')],
      [{ ...overlay('one', '/w', 'two'), upper: 'two' }],
    ];
    for (const binds of refused) assert.throws(() => plan(binds), { code: 'no-sandbox' }, JSON.stringify(binds));
  });

  test('G8: impossible binds are refused', () => {
    for (const to of ['/', 'relative', '/a/../b', '/a/', '/proc', '/proc/sys', '/dev/sda', '/sys/x', '/a\nb']) {
      assert.throws(() => plan([bind('two', to)]), { code: 'no-sandbox' }, to);
    }
    assert.throws(() => plan([bind('absent', '/w')]), { code: 'no-sandbox' });
  });
});
