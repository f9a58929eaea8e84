import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepSettings, readSettings, type Setting, writeSettings } from './kept-settings.ts';

const value = fc.string({ unit: fc.constantFrom(...'ab1 "\\;#=[]\n\t\r\u4f60\u00e9'), maxLength: 12 });
const middle = fc.string({ unit: fc.constantFrom(...'aB1 ."\\]/\u4f60'), minLength: 1, maxLength: 8 });
const setting = fc.oneof(
  fc.record({ key: fc.constantFrom('user.name', 'core.eol', 'user.email'), value }),
  fc.record({ key: middle.map((name) => `remote.${name}.url`), value }),
);

test('T3: settings that are kept reach git with the values that they had, whatever characters they hold', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-settings-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'config');
  fc.assert(
    fc.property(fc.array(setting, { minLength: 1, maxLength: 30 }), (settings) => {
      writeFileSync(file, writeSettings(settings));
      const listing = execFileSync('git', ['config', '--file', file, '--list', '-z'], {
        env: { PATH: process.env.PATH },
      });
      const pairs = (some: readonly Setting[]) => some.map(({ key, value }) => [key, value]);
      assert.deepEqual(pairs(readSettings(listing.toString('utf8'))), pairs(settings));
    }),
    { numRuns: 12 },
  );
});

test('T3: only what the list names is kept', () => {
  const hostile: Setting[] = [
    ...['core.fsmonitor', 'core.hookspath', 'core.pager', 'core.editor', 'core.sshcommand', 'core.attributesfile'],
    ...['diff.external', 'diff.x.textconv', 'filter.x.clean', 'merge.x.driver', 'credential.helper', 'gpg.program'],
    ...['alias.x', 'include.path', 'includeif.gitdir:/.path', 'remote.x.receivepack', 'remote.x.vcs', 'remote.x.proxy'],
    ...['url.x.insteadof', 'http.proxy', 'submodule.x.update', 'core.worktree', 'core.gitproxy', 'protocol.allow'],
    ...['uploadpack.packobjectshook', 'interactive.difffilter', 'extensions.partialclone', 'extensions.worktreeconfig'],
  ].map((key) => ({ key, value: 'touch x' }));
  assert.deepEqual(keepSettings(hostile).kept, []);
  const { filters, isPartialClone, unknownExtension } = keepSettings([
    { key: 'filter.git lfs.required', value: 'true' },
    { key: 'remote.a.b.promisor', value: 'true' },
    { key: 'extensions.refstorage', value: 'reftable' },
  ]);
  assert.deepEqual([filters, isPartialClone, unknownExtension], [['git lfs'], true, 'refstorage']);
});
