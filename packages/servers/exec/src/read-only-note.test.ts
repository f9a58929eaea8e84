import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SandboxBind } from '@capstan/contracts';
import { readOnlyNote } from './read-only-note.ts';

const binds: readonly SandboxBind[] = [
  { from: '/h/node_modules', to: '/workspace/node_modules', access: 'read' },
  { from: '/h/packages/a/target', to: '/workspace/packages/a/target', access: 'overlay' },
  { from: '/opt/node', to: '/opt/node', access: 'read' },
];
const node = "Error: EROFS: read-only file system, open '/workspace/node_modules/.cache/x'";

test('A6: a write to a folder that can only be read is explained', () => {
  assert.match(
    readOnlyNote(`one\n${node}\ntwo`, binds) ?? '',
    /^Something was written to node_modules, which can only be read/,
  );
  assert.match(
    readOnlyNote("touch: cannot touch 'node_modules/x': Read-only file system", binds) ?? '',
    /node_modules/,
  );
});

test('A6: other failures, and other places, are not', () => {
  for (const output of [
    '',
    "EACCES '/workspace/node_modules/x'",
    'EROFS /usr/lib',
    'EROFS packages/a/target/x',
    `EROFS\nnode_modules`,
  ]) {
    assert.equal(readOnlyNote(output, binds), undefined, output);
  }
  assert.equal(readOnlyNote(node, []), undefined);
});
