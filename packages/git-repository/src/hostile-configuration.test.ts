import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openRepository } from './open-repository.ts';
import { hostileWays, isReal, makeHostile, makeRepository, plainGit } from './testing/hostile-repository.ts';

/** In this order each command finds something to do. */
const commands: readonly { readonly name: string; readonly args: readonly string[]; readonly dirty?: boolean }[] = [
  { name: 'status', args: ['status'] },
  { name: 'diff', args: ['diff', '--no-ext-diff', '--no-textconv'] },
  { name: 'log -p', args: ['log', '-p', '--all', '--no-textconv'] },
  { name: 'blame', args: ['blame', 'a.txt'] },
  { name: 'stash', args: ['stash', 'push'] },
  { name: 'add', args: ['add', 'a.txt'], dirty: true },
  { name: 'commit', args: ['commit', '-qm', 'x'] },
  { name: 'merge', args: ['merge', '--no-edit', 'side'] },
  { name: 'checkout', args: ['checkout', '-f', 'side'] },
];

let base: string;
before(() => {
  base = mkdtempSync(join(tmpdir(), 'capstan-hostile-'));
  mkdirSync(join(base, 'state'));
  makeRepository(join(base, 'template'));
});
after(() => rmSync(base, { recursive: true, force: true }));

for (const way of hostileWays) {
  test(`T3: a plain git obeys a configuration, ours runs nothing in nine commands: ${way.name}`, async () => {
    const mark = join(base, `ran-${way.name.replaceAll(' ', '-')}`);
    const control = join(base, 'control', way.name, 'repository');
    cpSync(join(base, 'template'), control, { recursive: true });
    makeHostile(control, way, mark);
    assert.ok(isReal(control, way, mark), 'the way is not real: this test shows nothing');
    rmSync(mark, { force: true });

    const root = join(base, 'hardened', way.name, 'repository');
    cpSync(join(base, 'template'), root, { recursive: true });
    makeHostile(root, way, mark);
    const ran: string[] = [];
    for (const { name, args, dirty } of commands) {
      if (dirty) writeFileSync(join(root, 'a.txt'), 'four\n');
      const request = {
        root,
        path: '.',
        trusted: [],
        stateFolder: join(base, 'state'),
        searchPath: process.env.PATH ?? '',
      };
      const done = await openRepository({ ...request, use: 'write' }, async (repository) => {
        const identity = ['user.name=Ann', 'user.email=ann@example.org'];
        return repository.run(args, { settings: identity });
      });
      assert.ok(!('failure' in done), JSON.stringify(done));
      // A merge of two changes of one line ends with a conflict: that is its work.
      assert.equal(done.exitCode, name === 'merge' ? 1 : 0, `${name}: ${done.stderr}`);
      if (existsSync(mark)) ran.push(name);
      rmSync(mark, { force: true });
    }
    assert.deepEqual(ran, []);
    assert.deepEqual(readdirSync(join(base, 'state', 'views')), [], 'nothing is left of the views');
  });
}

test('T3: settings of included files and of a worktree of its own are obeyed by a plain git, and not here', async () => {
  const root = join(base, 'included', 'repository');
  cpSync(join(base, 'template'), root, { recursive: true });
  const marks = ['include', 'includeIf', 'worktree'].map((name) => join(base, `ran-${name}`));
  const [include = '', includeIf = '', worktree = ''] = marks;
  const alias = (name: string, mark: string) => `[alias]\n\t${name} = "!touch '${mark}'"\n`;
  writeFileSync(join(base, 'one.inc'), alias('one', include));
  writeFileSync(join(base, 'two.inc'), alias('two', includeIf));
  writeFileSync(join(root, '.git', 'config.worktree'), `[core]\n\tfsmonitor = "touch '${worktree}'; false"\n`);
  appendFileSync(
    join(root, '.git', 'config'),
    `[include]\n\tpath = ${join(base, 'one.inc')}\n[includeIf "gitdir:**"]\n\tpath = ${join(base, 'two.inc')}\n` +
      '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n',
  );
  const commandLines = [['one'], ['two'], ['status']];
  for (const args of commandLines) plainGit(root, args);
  assert.deepEqual(
    marks.map((mark) => existsSync(mark)),
    [true, true, true],
    'the ways are not real',
  );
  for (const mark of marks) rmSync(mark);
  const request = {
    root,
    path: '.',
    trusted: [],
    stateFolder: join(base, 'state'),
    searchPath: process.env.PATH ?? '',
  };
  const done = await openRepository({ ...request, use: 'read' }, async (repository) => {
    const codes = [];
    for (const args of commandLines) codes.push((await repository.run(args)).exitCode);
    return { codes };
  });
  assert.deepEqual(done, { codes: [1, 1, 0] });
  assert.deepEqual(
    marks.map((mark) => existsSync(mark)),
    [false, false, false],
  );
});
