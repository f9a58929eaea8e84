import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sha256 } from '@capstan/workspace';
import { main, WriteServer } from './testing/write-fixture.ts';

const dangerous = ['git_push', 'git_force_push', 'git_amend', 'git_reset', 'git_delete_unmerged_branch'];
const enabled = dangerous.flatMap((name) => ['--enable', name]);
const server = new WriteServer();
before(() => server.start(enabled));
after(() => server.stop());

test('T1 T5: the usual tools fit into 15 KB of schema; what rewrites or publishes is off until it is enabled by name', async (t) => {
  const usual = new WriteServer();
  t.after(() => usual.stop());
  await usual.start();
  const { tools } = await usual.client.listTools();
  assert.ok(Buffer.byteLength(JSON.stringify({ tools })) <= 15 * 1024);
  for (const { name, description, _meta } of tools) {
    assert.ok((description ?? '').length <= 500, name);
    assert.notEqual(_meta?.['capstan/tier'], 'dangerous', name);
  }
  const more = (await server.client.listTools()).tools.filter(({ _meta }) => _meta?.['capstan/tier'] === 'dangerous');
  assert.deepEqual(
    more.map(({ name }) => name),
    dangerous,
  );
  const wrong = spawnSync(process.execPath, [main, '--root', usual.root, '--state', usual.state, '--enable', 'git_x']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr.toString(), /no dangerous tool git_x/);
});

test('T9: each dry run says what would happen, and not a byte changes; then the same call does it', async () => {
  const fixture = server.repository();
  fixture.git('branch', 'merged');
  fixture.git('switch', '-qc', 'other');
  fixture.put('b.txt', 'b\n');
  fixture.git('add', '.');
  fixture.git('commit', '-qm', 'other');
  fixture.git('switch', '-q', 'main');
  fixture.put('a.txt', 'two\n');
  fixture.put('名字.txt', '新\n');
  const calls: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
    ['git_stage', { paths: ['.'] }, /Staged: 2 files/],
    ['git_unstage', { paths: ['a.txt'] }, /No longer staged: 1 file\./],
    ['git_commit', { message: '新 file\n\nWhy.' }, /Committed on main: 1 file\./],
    ['git_restore', { paths: ['.'] }, /Restored: 1 file\./],
    ['git_create_branch', { branch: 'fix/sum' }, /fix\/sum is at/],
    ['git_switch', { branch: 'other' }, /other is the current branch, after main/],
    ['git_switch', { branch: 'main' }, /main is the current branch/],
    ['git_delete_branch', { branch: 'merged' }, /merged is deleted/],
    ['git_add_worktree', { name: 'w', branch: 'w', newFrom: 'HEAD' }, /w is checked out in/],
    ['git_remove_worktree', { name: 'w' }, /w is removed/],
    ['git_delete_unmerged_branch', { branch: 'other' }, /other is deleted/],
    ['git_amend', { message: 'Better' }, /last commit is replaced/],
    ['git_reset', { to: 'HEAD~1' }, /main is at/],
  ];
  for (const [name, input, says] of calls) {
    const before = fixture.digest();
    const dry = await fixture.call(name, { ...input, dryRun: true });
    assert.equal(dry.reply?.dryRun, true, `${name}: ${dry.text}`);
    assert.match(dry.text, says);
    assert.equal(fixture.digest(), before, `${name} wrote in a dry run`);
    const real = await fixture.call(name, input);
    assert.match(real.text, says, `${name}: ${real.text}`);
    assert.equal(real.failure, undefined);
    assert.deepEqual(real.reply.items, dry.reply.items, name);
    assert.notEqual(fixture.digest(), before, name);
  }
  assert.equal(fixture.git('fsck', '--no-dangling'), '');
  assert.deepEqual(readdirSync(join(server.state, 'views')), []);
});

test('T3: hooks, filters and signing of the repository are not run by any tool; author and message are those given', async () => {
  const fixture = server.repository();
  const mark = join(server.base, `ran-${fixture.name}`);
  for (const name of [
    'pre-commit',
    'post-commit',
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'commit-msg',
  ]) {
    fixture.put(`.git/hooks/${name}`, `#!/bin/sh\ntouch ${mark}\n`, 0o755);
  }
  for (const [key, value] of [
    ['core.fsmonitor', `touch ${mark}; false`],
    ['commit.gpgSign', 'true'],
    ['gpg.program', `${mark}.sh`],
    ['core.editor', `touch ${mark}`],
  ] as const) {
    fixture.git('config', '--file', join(fixture.root, '.git/config'), key, value);
  }
  fixture.put('b.txt', 'b\n');
  await fixture.call('git_stage', { paths: ['b.txt'] });
  const made = await fixture.call('git_commit', {
    message: '加 b\n\n# not a comment\n',
    identity: '李 <li@example.org>',
  });
  assert.equal(made.failure, undefined, made.text);
  await fixture.call('git_create_branch', { branch: 'x' });
  await fixture.call('git_switch', { branch: 'x' });
  fixture.put('b.txt', 'c\n');
  await fixture.call('git_restore', { paths: ['b.txt'] });
  assert.ok(!existsSync(mark));
  const shown = fixture.git('-c', 'core.fsmonitor=false', 'log', '-1', '--format=%an <%ae>|%cn|%B');
  assert.match(shown, /^李 <li@example\.org>\|李\|加 b\n\n# not a comment/);
  assert.equal(made.reply.commit, fixture.git('-c', 'core.fsmonitor=false', 'rev-parse', 'main'));
});

test('T3: secret files are neither staged nor committed nor restored, nested repositories are left out', async () => {
  const fixture = server.repository();
  fixture.put('.env', 'TOKEN=1\n');
  fixture.put('certs/server.pem', 'key\n');
  fixture.put('b.txt', 'b\n');
  mkdirSync(join(fixture.root, 'nested'));
  fixture.git('init', '-q', 'nested');
  fixture.git('-C', 'nested', 'commit', '-q', '--allow-empty', '-m', 'x');
  const staged = await fixture.call('git_stage', { paths: ['.'] });
  assert.deepEqual(staged.reply.items, ['untracked: b.txt']);
  assert.match(staged.text, /Secret files are left out: \.env, certs\/server\.pem/);
  assert.match(staged.text, /Repositories of their own are left out: nested/);
  assert.equal((await fixture.call('git_stage', { paths: ['.env'] })).failure?.code, 'nothing-to-do');
  fixture.git('add', '-f', '.env');
  const refused = await fixture.call('git_commit', { message: 'x' });
  assert.equal(refused.failure?.code, 'path-refused');
  fixture.git('commit', '-qm', 'by a person');
  fixture.put('.env', 'TOKEN=2\n');
  assert.equal((await fixture.call('git_restore', { paths: ['.'] })).failure?.code, 'path-refused');
  assert.equal(fixture.read('.env'), 'TOKEN=2\n');
});

test('T3: a file that wants a filter is refused wherever its content would be wrong', async () => {
  const fixture = server.repository();
  fixture.put('big.bin', 'pointer\n');
  fixture.git('add', '.');
  fixture.git('commit', '-qm', 'pointer');
  fixture.git('switch', '-qc', 'lfs');
  fixture.put('.gitattributes', '*.bin filter=lfs\n');
  fixture.put('big.bin', 'pointer 2\n');
  fixture.git('add', '.');
  fixture.git('commit', '-qm', 'filtered');
  fixture.git('switch', '-q', 'main');
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['git_switch', { branch: 'lfs' }],
    ['git_add_worktree', { name: 'l', branch: 'lfs' }],
    ['git_restore', { paths: ['.'], from: 'lfs' }],
  ];
  for (const [name, input] of calls) {
    const { failure, text } = await fixture.call(name, input);
    assert.equal(failure?.code, 'filtered-content', `${name}: ${text}`);
    assert.match(text, /big\.bin.*lfs.*never run/);
  }
  fixture.git('config', 'filter.crypt.required', 'true');
  fixture.put('.git/info/attributes', 'a.txt filter=crypt\n');
  fixture.put('a.txt', 'plain words\n');
  assert.equal((await fixture.call('git_stage', { paths: ['a.txt'] })).failure?.code, 'filtered-content');
  assert.equal(fixture.git('diff', '--cached', '--name-only'), '');
});

test('T3: what git_restore takes away comes back byte for byte, and so does what was there instead', async () => {
  const fixture = server.repository();
  fixture.git('config', 'core.autocrlf', 'true');
  fixture.put('crlf.txt', 'one\r\ntwo\r\n');
  fixture.put('run.sh', '#!/bin/sh\n', 0o755);
  fixture.put('gone.txt', 'gone\n');
  fixture.put('两 行\n.txt', 'x\n');
  fixture.git('add', '.');
  fixture.git('commit', '-qm', 'files');
  fixture.put('crlf.txt', Buffer.from('mixed\nends\r\ncaf\xe9 \0\xff', 'latin1'));
  fixture.put('run.sh', '#!/bin/sh\nexit 1\n');
  chmodSync(join(fixture.root, 'run.sh'), 0o755);
  fixture.put('两 行\n.txt', '改\n');
  rmSync(join(fixture.root, 'gone.txt'));
  const before = ['crlf.txt', 'run.sh', '两 行\n.txt'].map((path) => fixture.read(path));
  const restored = await fixture.call('git_restore', { paths: ['.'] });
  assert.equal(restored.reply?.totalItems, 4, restored.text);
  assert.equal(fixture.read('crlf.txt'), 'one\r\ntwo\r\n');
  assert.match(fixture.read('gone.txt'), /^gone/);
  assert.equal(fixture.git('status', '--porcelain'), '');
  fixture.put('run.sh', 'later\n');
  const back = await fixture.call('git_bring_back', { keptId: restored.reply.keptId });
  assert.equal(back.failure, undefined, back.text);
  assert.deepEqual(
    ['crlf.txt', 'run.sh', '两 行\n.txt'].map((path) => fixture.read(path)),
    before,
  );
  assert.ok(!existsSync(join(fixture.root, 'gone.txt')));
  assert.equal(lstatSync(join(fixture.root, 'run.sh')).mode & 0o111, 0o111);
  fixture.git('gc', '-q', '--prune=now');
  await fixture.call('git_bring_back', { keptId: back.reply.keptId });
  assert.equal(fixture.read('run.sh'), 'later\n');
  assert.equal((await fixture.call('git_bring_back', { keptId: '../../x' })).failure?.code, 'not-found');

  fixture.put('new.txt', 'committed\n');
  fixture.git('add', '.');
  fixture.git('commit', '-qm', 'with new');
  const head = fixture.git('rev-parse', 'HEAD');
  fixture.git('rm', '-q', '--cached', 'new.txt');
  fixture.git('commit', '-qm', 'without new');
  fixture.put('new.txt', 'untracked words\n');
  const reset = await fixture.call('git_reset', { to: 'HEAD~1' });
  assert.equal(fixture.git('rev-parse', 'HEAD'), head);
  assert.match(fixture.read('new.txt'), /^committed/);
  await fixture.call('git_bring_back', { keptId: reset.reply.keptId });
  assert.equal(fixture.read('new.txt'), 'untracked words\n');
});

test('S3: an effect happens once per call id, also when the process died before it could say so', async () => {
  const fixture = server.repository();
  fixture.put('a.txt', 'two\n');
  await fixture.call('git_stage', { paths: ['.'] });
  const input = { message: 'Once' };
  const first = await fixture.call('git_commit', input, 'call-1');
  const again = await fixture.call('git_commit', input, 'call-1');
  assert.deepEqual(again.reply, first.reply);
  assert.equal((await fixture.call('git_commit', { message: 'Other' }, 'call-1')).failure?.code, 'unknown-outcome');
  assert.equal(fixture.git('rev-list', '--count', 'HEAD'), '2');

  const path = join(server.state, 'calls', `${sha256('call-1').slice(0, 20)}.json`);
  const facts = { head: fixture.git('rev-parse', 'HEAD~1'), tree: fixture.git('rev-parse', 'HEAD^{tree}') };
  const { argumentDigest } = JSON.parse(readFileSync(path, 'utf8')) as { argumentDigest: string };
  const asIfKilled = () => writeFileSync(path, JSON.stringify({ argumentDigest, facts }));
  asIfKilled();
  await server.start(enabled);
  const found = await fixture.call('git_commit', input, 'call-1');
  assert.match(found.text, /made by an earlier process/);
  assert.equal(fixture.git('rev-list', '--count', 'HEAD'), '2');
  fixture.git('commit', '-q', '--allow-empty', '-m', 'somebody else');
  asIfKilled();
  assert.equal((await fixture.call('git_commit', input, 'call-1')).failure?.code, 'unknown-outcome');
  fixture.git('reset', '-q', '--soft', 'HEAD~2');
  asIfKilled();
  assert.equal((await fixture.call('git_commit', input, 'call-1')).failure, undefined);
  assert.equal(fixture.git('rev-list', '--count', 'HEAD'), '2');
});

test('T3: a git folder with links or second names is not written into', async () => {
  const fixture = server.repository();
  const victim = join(server.base, 'bashrc');
  writeFileSync(victim, 'precious\n');
  fixture.put('a.txt', 'two\n');
  fixture.git('add', '.');
  const log = join(fixture.root, '.git/logs/HEAD');
  const plant: readonly (readonly [string, () => void])[] = [
    [log, () => symlinkSync(victim, log)],
    [join(fixture.root, '.git/COMMIT_EDITMSG'), () => symlinkSync(victim, join(fixture.root, '.git/COMMIT_EDITMSG'))],
    [log, () => linkSync(victim, log)],
    [join(fixture.root, '.git/refs/heads/x'), () => symlinkSync(victim, join(fixture.root, '.git/refs/heads/x'))],
  ];
  for (const [path, make] of plant) {
    rmSync(path, { force: true });
    make();
    const { failure, text } = await fixture.call('git_commit', { message: '`touch x`' });
    assert.equal(failure?.code, 'path-refused', text);
    assert.equal(readFileSync(victim, 'utf8'), 'precious\n');
    rmSync(path);
  }
});

test('T8: a merge under way, a lock, local changes, a name that is taken: one clear sentence each, and nothing half done', async () => {
  const fixture = server.repository();
  fixture.git('switch', '-qc', 'side');
  fixture.put('a.txt', 'side\n');
  fixture.git('commit', '-qam', 'side');
  fixture.git('switch', '-q', 'main');
  fixture.put('a.txt', 'changed\n');
  const local = await fixture.call('git_switch', { branch: 'side' });
  assert.equal(local.failure?.code, 'local-changes', local.text);
  fixture.git('commit', '-qam', 'main');
  writeFileSync(join(fixture.root, '.git/index.lock'), '');
  fixture.put('b.txt', 'b\n');
  const locked = await fixture.call('git_stage', { paths: ['b.txt'] }, 'call-lock');
  assert.deepEqual([locked.failure?.code, locked.failure?.level], ['repository-locked', 'retryable']);
  rmSync(join(fixture.root, '.git/index.lock'));
  assert.equal((await fixture.call('git_stage', { paths: ['b.txt'] }, 'call-lock')).failure, undefined);
  await fixture.call('git_commit', { message: 'b' });
  assert.throws(() => fixture.git('merge', 'side'));
  for (const [name, input] of [
    ['git_switch', { branch: 'side' }],
    ['git_restore', { paths: ['.'] }],
  ] as const) {
    assert.equal((await fixture.call(name, input)).failure?.code, 'under-way', name);
  }
  assert.equal((await fixture.call('git_commit', { message: 'x' })).failure?.code, 'in-conflict');
  fixture.put('a.txt', 'both\n');
  await fixture.call('git_stage', { paths: ['a.txt'] });
  assert.equal((await fixture.call('git_commit', { message: 'Merge side' })).failure, undefined);
  assert.equal(fixture.git('log', '-1', '--format=%P').split(' ').length, 2);
  assert.equal((await fixture.call('git_create_branch', { branch: 'side' })).failure?.code, 'exists');
  assert.equal((await fixture.call('git_create_branch', { branch: 'side/deep' })).failure?.code, 'exists');
  for (const branch of ['-d', 'a..b', 'a b', 'x.lock', 'HEAD']) {
    assert.equal((await fixture.call('git_create_branch', { branch })).failure?.code, 'bad-argument', branch);
  }
  assert.equal((await fixture.call('git_add_worktree', { name: 'm', branch: 'main' })).failure?.code, 'in-use');
  assert.equal((await fixture.call('git_add_worktree', { name: '..', branch: 'side' })).failure?.code, 'bad-argument');
  const many = await Promise.all(
    Array.from({ length: 12 }, (_, index) => fixture.call('git_create_branch', { branch: `many/${index}` })),
  );
  assert.ok(many.every(({ failure }) => failure === undefined));
});

test('T3: a worktree has its own branch and index, obeys nothing, and is removed only when it is clean', async () => {
  const fixture = server.repository();
  const mark = join(server.base, `ran-${fixture.name}`);
  fixture.put('.git/hooks/post-checkout', `#!/bin/sh\ntouch ${mark}\n`, 0o755);
  fixture.put('staged.txt', 'staged\n');
  fixture.git('add', '.');
  const added = await fixture.call('git_add_worktree', { name: '修', branch: 'fix', newFrom: 'HEAD' });
  const [folder = ''] = added.reply.items;
  assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'one\n');
  assert.ok(!existsSync(mark));
  assert.equal(fixture.git('diff', '--cached', '--name-only'), 'staged.txt', 'the index of the main worktree stays');
  assert.equal(fixture.git('-C', folder, 'status', '--porcelain', '--branch'), '## fix');
  assert.match((await fixture.call('git_worktrees')).text, /main.*\n.*修 fix/);
  writeFileSync(join(folder, 'new.txt'), 'x');
  assert.equal((await fixture.call('git_remove_worktree', { name: '修' })).failure?.code, 'local-changes');
  rmSync(join(folder, 'new.txt'));
  assert.equal((await fixture.call('git_remove_worktree', { name: '修' })).failure, undefined);
  assert.ok(!existsSync(folder));
  assert.equal((await fixture.call('git_delete_branch', { branch: 'fix' })).failure, undefined);
});

test('T3: a push goes to the remote that is configured, by allowed protocols alone, and runs no program of the repository', async () => {
  const fixture = server.repository();
  const remote = join(server.base, 'remote.git');
  fixture.git('init', '-q', '--bare', remote);
  fixture.git('remote', 'add', 'origin', remote);
  const mark = join(server.base, `ran-${fixture.name}`);
  fixture.put('.git/hooks/pre-push', `#!/bin/sh\ntouch ${mark}\n`, 0o755);
  for (const [key, value] of [
    ['remote.origin.receivepack', `touch ${mark};git-receive-pack`],
    ['core.sshCommand', `touch ${mark};`],
    ['credential.helper', `!touch ${mark};`],
  ] as const) {
    fixture.git('config', key, value);
  }
  assert.equal((await fixture.call('git_push')).failure?.code, 'address-refused');
  for (const url of [
    `ext::touch ${mark}`,
    'ssh://-oProxyCommand=x/y',
    'fd::7',
    'http://example.org/x',
    '-oX:y',
    `file://${remote}`,
  ]) {
    fixture.git('config', 'remote.bad.url', url);
    const refused = await fixture.call('git_push', { remote: 'bad' });
    assert.equal(refused.failure?.code, 'address-refused', `${url}: ${refused.text}`);
  }
  fixture.git('config', 'remote.secret.url', 'https://ann:hunter2@example.invalid/x.git');
  const dry = await fixture.call('git_push', { remote: 'secret', dryRun: true });
  assert.deepEqual(dry.reply.items, ['https://example.invalid/x.git']);
  assert.doesNotMatch(JSON.stringify(dry), /hunter2/);

  await server.start([...enabled, '--push-protocol', 'file']);
  const pushed = await fixture.call('git_push');
  assert.equal(pushed.failure, undefined, pushed.text);
  const first = fixture.git('rev-parse', 'main');
  assert.equal(fixture.git('-C', remote, 'rev-parse', 'main'), first);
  assert.equal(fixture.git('rev-parse', 'refs/remotes/origin/main'), first);
  fixture.git('commit', '-q', '--amend', '-m', 'rewritten');
  const rejected = await fixture.call('git_push');
  assert.equal(rejected.failure?.code, 'push-rejected', rejected.text);
  const stale = await fixture.call('git_force_push', { expected: fixture.git('rev-parse', 'main') });
  assert.equal(stale.failure?.code, 'push-rejected', stale.text);
  assert.equal((await fixture.call('git_force_push', { expected: first })).failure, undefined);
  assert.equal(fixture.git('-C', remote, 'rev-parse', 'main'), fixture.git('rev-parse', 'main'));
  assert.ok(!existsSync(mark));
});
