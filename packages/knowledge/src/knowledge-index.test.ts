import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { KnowledgeIndex } from './knowledge-index.ts';
import { rankFiles } from './search/rank-files.ts';

const program = fileURLToPath(new URL('./testing/index-and-wait.ts', import.meta.url));
let base: string;
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'capstan-knowledge-index-'));
});
after(() => rm(base, { recursive: true, force: true }));

async function makeRoot(name: string, count: number): Promise<{ root: string; stateFolder: string }> {
  const root = join(base, name);
  await mkdir(join(root, 'sub'), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const text = `export function part${index}() {}\n${'some words of a file '.repeat(20)}only${index}\n`;
    await writeFile(join(root, index % 2 === 0 ? 'sub' : '.', `file${index}.ts`), text);
  }
  return { root, stateFolder: join(base, `${name}-state`) };
}

function openIndex({ root, stateFolder }: { root: string; stateFolder: string }) {
  const time = { passed: 0 };
  const clock = { now: () => Date.now() + time.passed, steady: () => performance.now() + time.passed };
  const index = new KnowledgeIndex({ root, stateFolder, clock });
  /** What a question finds, after everything was looked at again. */
  const find = async (query: string) => {
    time.passed += 2_000;
    return index.use({ firstMs: 60_000, againMs: 60_000 }, async (open, state) => ({
      state,
      paths: (await rankFiles(open, query, () => true)).hits.map((hit) => hit.path),
    }));
  };
  return { index, find };
}

describe('KnowledgeIndex', () => {
  test('T11: only what has changed is read again: by time and size, then by content', async () => {
    const place = await makeRoot('changes', 6);
    const { index, find } = openIndex(place);
    assert.deepEqual((await find('only3')).state.last, { files: 6, added: 6, changed: 0, removed: 0 });
    await find('only3');
    const again = await find('only3');
    assert.deepEqual(again.state.last, { files: 6, added: 0, changed: 0, removed: 0 });
    await utimes(join(place.root, 'file1.ts'), 1, 1);
    assert.deepEqual((await find('only1')).state.last?.changed, 0);
    await writeFile(join(place.root, 'file1.ts'), 'export const replaced = 1;\n');
    await rename(join(place.root, 'file3.ts'), join(place.root, 'moved.ts'));
    const after = await find('only3');
    assert.deepEqual(after.state.last, { files: 6, added: 1, changed: 1, removed: 1 });
    assert.deepEqual([after.paths, (await find('only1')).paths], [['moved.ts'], []]);
    await index.close();
  });

  test('T11: a file that changes without a new size or time to tell, right after it was read, is seen', async () => {
    const place = await makeRoot('racy', 1);
    const path = join(place.root, 'fresh.ts');
    const index = new KnowledgeIndex({
      ...place,
      clock: { now: () => Date.now(), steady: () => performance.now() * 1e6 },
    });
    const find = (query: string) =>
      index.use(
        { firstMs: 60_000, againMs: 60_000 },
        async (open) => (await rankFiles(open, query, () => true)).hits.length,
      );
    for (const word of ['aardvark', 'bullfrog', 'capybara', 'dormouse']) {
      await writeFile(path, `const ${word} = 1;\n`);
      assert.equal(await find(word), 1, word);
    }
    await index.close();
  });

  test('T11: killed at any moment, the index is whole for the next process', async () => {
    const place = await makeRoot('killed', 700);
    for (const milliseconds of [0, 25, 60, 120]) {
      const child = spawn(process.execPath, [program, place.root, place.stateFolder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await delay(milliseconds);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    const { index, find } = openIndex(place);
    const { state, paths } = await find('only555');
    assert.deepEqual([state.files, state.note, paths], [700, undefined, ['file555.ts']]);
    await index.close();
  });

  test('T11: several processes make one index at once', async () => {
    const place = await makeRoot('together', 400);
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, [program, place.root, place.stateFolder], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const said = await Promise.all(children.map(async (child) => (await child.stdout.toArray()).join('')));
    assert.deepEqual(
      said,
      Array.from({ length: 3 }, () => 'begins\ndone 400\n'),
    );
    const { index, find } = openIndex(place);
    assert.deepEqual((await find('only7')).paths, ['file7.ts']);
    await index.close();
  });

  test('T11: a database of another program is set aside and kept as it was', async () => {
    const place = await makeRoot('foreign', 2);
    const first = openIndex(place);
    await first.find('only1');
    await first.index.close();
    const [name = ''] = (await readdir(place.stateFolder)).filter((file) => file.endsWith('.db'));
    await rm(join(place.stateFolder, name));
    const foreign = new DatabaseSync(join(place.stateFolder, name));
    foreign.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (42)');
    foreign.close();
    const { index, find } = openIndex(place);
    const { paths, state } = await find('only1');
    assert.deepEqual(paths, ['file1.ts']);
    assert.match(state.note ?? '', /of another program; it was set aside as .*\.set-aside-1/);
    await index.close();
    const kept = new DatabaseSync(join(place.stateFolder, `${name}.set-aside-1`));
    assert.equal(kept.prepare('SELECT x FROM theirs').get()?.x, 42);
    kept.close();
  });

  test('T11: damage that shows in the middle of the work is mended, and several calls see one repair', async () => {
    const place = await makeRoot('damaged', 300);
    const first = openIndex(place);
    await first.find('only1');
    await first.index.close();
    const [name = ''] = (await readdir(place.stateFolder)).filter((file) => file.endsWith('.db'));
    const path = join(place.stateFolder, name);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = DELETE');
    database.close();
    const bytes = await readFile(path);
    // The first page says what the file is; all others become noise.
    bytes.fill(0x5a, 4096);
    await writeFile(path, bytes);
    const { index, find } = openIndex(place);
    const answers = await Promise.all(['only1', 'only2', 'only3'].map((query) => find(query)));
    assert.deepEqual(
      answers.map(({ paths }) => paths),
      [['file1.ts'], ['sub/file2.ts'], ['file3.ts']],
    );
    assert.match(answers[0]?.state.note ?? '', /damaged; it was set aside/);
    await index.close();
  });

  test('T11: files and folders that come and go while they are walked over cost nothing but themselves', async () => {
    const place = await makeRoot('moving', 400);
    const { index, find } = openIndex(place);
    let moving = true;
    const mover = (async () => {
      for (let number = 0; moving; number += 1) {
        const folder = join(place.root, `gone-${number % 7}`);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'x.ts'), 'const x = 1;\n');
        await rm(folder, { recursive: true, force: true });
      }
    })();
    for (let count = 0; count < 10; count += 1) assert.deepEqual((await find('only7')).paths, ['file7.ts']);
    moving = false;
    await mover;
    await index.close();
  });

  test('T4: a root that is gone and a state in the root are explained', async () => {
    const place = await makeRoot('lost', 2);
    const { index, find } = openIndex(place);
    await rm(place.root, { recursive: true });
    await assert.rejects(find('only1'), { code: 'workspace-lost', level: 'fatal' });
    await index.close();
    await mkdir(place.root);
    assert.throws(() => openIndex({ root: place.root, stateFolder: join(place.root, 'state') }), {
      code: 'bad-config',
    });
  });
});
