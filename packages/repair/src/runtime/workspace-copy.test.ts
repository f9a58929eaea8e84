import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

// The runtime is plain JavaScript: it runs on the Node of the repository.
const runtime: string = new URL('./workspace-copy.mjs', import.meta.url).href;
const { copyWorkspace } = (await import(runtime)) as {
  copyWorkspace(from: string, to: string, options: Record<string, unknown>): void;
};

test('N3: in a workspace of too many files to copy, the modules that tests reach are no links to where nothing is patched', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'capstan-copy-'));
  t.after(() => rmSync(base, { recursive: true }));
  const [from, to] = [join(base, 'from'), join(base, 'to')];
  mkdirSync(join(from, 'z'), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'sum.js', 'z/sum.test.js', 'z/z.txt'])
    writeFileSync(join(from, name), name);
  copyWorkspace(from, to, {
    texts: { 'sum.js': 'patched' },
    copyAll: true,
    modules: ['z/sum.test.js', 'sum.js'],
    most: 2,
  });
  const isLink = (path: string) => lstatSync(join(to, path)).isSymbolicLink();
  assert.equal(['a.txt', 'b.txt', 'c.txt', 'z/z.txt'].filter(isLink).length, 2);
  assert.deepEqual([isLink('sum.js'), isLink('z/sum.test.js')], [false, false]);
  assert.equal(readFileSync(join(to, 'sum.js'), 'utf8'), 'patched');
});
