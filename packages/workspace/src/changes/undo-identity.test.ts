import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyChanges } from '../apply-changes.ts';
import { makeCheckout, treeDigest } from '../testing/checkout.ts';
import { undoChanges } from './undo-changes.ts';

/** A file or a link, as one would make it by hand. */
type Entry = { readonly kind: 'file'; readonly text: string; readonly mode: number } | { readonly kind: 'link' };
type Tree = ReadonlyMap<string, Entry>;

// `x` is a file in one tree and a folder in another.
const path = fc.constantFrom(
  'a.txt',
  'd/b.txt',
  'd/e/c.txt',
  '目录/文件.txt',
  'with space.txt',
  'x',
  'x/y',
  '-rf',
  'é\n.md',
);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('file'),
      text: fc.constantFrom('', 'one\n', 'two\n', '中文\r\n', '\0\u0001'),
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o664),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'link' }) },
);
const tree: fc.Arbitrary<Tree> = fc
  .uniqueArray(fc.tuple(path, entry), { maxLength: 7, selector: ([name]) => name })
  .map((entries) => new Map(entries))
  .filter((made) => !(made.has('x') && made.has('x/y')));

const lines = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);

test('A6: apply and then undo is the identity, and what the user does elsewhere in between stays', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, fc.boolean(), async (base, wanted, userWorks) => {
      const made = makeCheckout({ 'long.txt': lines.join('') }, { commit: false });
      try {
        for (const [name, content] of base) put(made.root, name, content);
        const workspace = await made.open();
        for (const name of base.keys()) rmSync(join(workspace.root, name), { force: true, recursive: true });
        removeEmptyFolders(workspace.root, base);
        for (const [name, content] of wanted) put(workspace.root, name, content);
        writeFileSync(join(workspace.root, 'long.txt'), lines.with(1, 'session\n').join(''));
        const before = treeDigest(made.root);
        assert.equal((await applyChanges(workspace, { reviewed: true })).kind, 'applied');
        assert.notEqual(treeDigest(made.root), before);
        if (userWorks) {
          writeFileSync(join(made.root, 'long.txt'), lines.with(1, 'session\n').with(18, 'user\n').join(''));
          writeFileSync(join(made.root, 'mine.txt'), 'mine\n');
        }
        assert.equal((await undoChanges(workspace)).kind, 'undone');
        if (userWorks) {
          assert.equal(made.read('long.txt'), lines.with(18, 'user\n').join(''));
          assert.equal(made.read('mine.txt'), 'mine\n');
          writeFileSync(join(made.root, 'long.txt'), lines.join(''));
          rmSync(join(made.root, 'mine.txt'));
        }
        assert.equal(treeDigest(made.root), before);
      } finally {
        made.remove();
      }
    }),
    { numRuns: 12 },
  );
});

function put(root: string, name: string, content: Entry): void {
  const at = join(root, name);
  mkdirSync(dirname(at), { recursive: true });
  if (content.kind === 'link') {
    symlinkSync('a.txt', at);
    return;
  }
  writeFileSync(at, content.text);
  chmodSync(at, content.mode);
}

/** So that a file can take the place of a folder. */
function removeEmptyFolders(root: string, base: Tree): void {
  for (const name of base.keys()) {
    const top = name.split('/')[0] ?? '';
    if (lstatSync(join(root, top), { throwIfNoEntry: false })?.isDirectory())
      rmSync(join(root, top), { recursive: true });
  }
}
