import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { readPlainFile } from './read-plain-file.ts';
import { secretFiles } from './secret-files.ts';
import { workspaceReader } from './workspace-reader.ts';

async function temporary(t: { after(clean: () => Promise<void>): void }, files: readonly string[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'capstan-exec-files-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), 'content');
  }
  return root;
}

test('G8: secrets are found in every folder, templates and keys of test data are none', async (t) => {
  const secrets = ['.env', '.env.local', 'deploy/server.pem', 'a/b/id_ed25519', '.npmrc', 'test/.env'];
  const others = ['.env.example', 'test/fixtures/server.pem', 'src/environment.ts', 'node_modules/x/.env', 'a/id.ts'];
  const root = await temporary(t, [...secrets, ...others]);
  const found = (await secretFiles(root)).map((path) => relative(root, path));
  assert.deepEqual(found.toSorted(), secrets.toSorted());
});

test('T3: neither a manifest nor a report is read through a link', async (t) => {
  const root = await temporary(t, ['package.json']);
  const outside = await temporary(t, ['package.json', 'inner/package.json']);
  await symlink(join(outside, 'package.json'), join(root, 'linked.json'));
  await symlink(join(outside, 'inner'), join(root, 'folder'));
  const reader = workspaceReader(root);
  assert.equal(await reader.readText('package.json'), 'content');
  assert.equal(await reader.readText('linked.json'), undefined);
  assert.equal(await reader.readText('folder/package.json'), undefined);
  assert.equal(await reader.readText('absent'), undefined);
  assert.deepEqual(await reader.list('folder'), []);
  assert.deepEqual(await reader.list('absent'), []);
  assert.equal(await readPlainFile(root, 100), undefined, 'a folder is no file');
  assert.equal(await readPlainFile(join(root, 'package.json'), 3), 'con');
});
