import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ServedRepository } from './testing/served-repository.ts';

const served = new ServedRepository();
const { root, base } = served;

before(async () => {
  served.init('.');
  served.put('src/sum.mjs', 'export const sum = (a, b) => a - b;\n');
  served.commit('.', 'Add sum');
  served.put('src/sum.mjs', 'export const sum = (a, b) => a + b;\n');
  served.commit('.', 'Add, not subtract');
  await served.start();
});
after(() => served.stop());

describe('broken and unusual repositories are answered by one clear sentence', () => {
  const expectCode = async (repository: string, code: string, says: RegExp) => {
    const reply = await served.call('git_log', { repository });
    assert.equal(reply.code, code, reply.text);
    assert.match(reply.text, says);
  };

  test('T8: no repository, a bare one, one without commits, one inside another, one that is not there', async () => {
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    await expectCode('src/deep', 'not-a-repository', /inside a repository/);
    served.init('bare.git', '--bare');
    await expectCode('bare.git', 'bare-repository', /bare/);
    served.init('empty');
    await expectCode('empty', 'no-commits', /no commit yet/);
    const status = await served.call('git_status', { repository: 'empty' });
    assert.match(status.text, /On branch main, no commit yet/);
    await expectCode('nowhere', 'not-found', /no folder/);
    await expectCode('.git', 'path-refused', /leads out/);
    rmSync(join(root, 'bare.git'), { recursive: true });
    rmSync(join(root, 'empty'), { recursive: true });
  });

  test('T3: a git folder, objects or files that lie elsewhere are not followed', async () => {
    mkdirSync(join(base, 'outside'));
    const there = (name: string) => join(base, 'outside', name);
    served.init('victim');
    served.put('victim/a.txt', 'private words\n');
    served.commit('victim', 'Private');
    const victim = readdirSync(join(root, 'victim', '.git'));
    assert.ok(victim.includes('HEAD'));
    served.git('victim', 'clone', '-q', '--bare', '.', there('victim.git'));

    served.put('pointer/.git', `gitdir: ${there('victim.git')}\n`);
    await expectCode('pointer', 'path-refused', /outside the workspace/);
    mkdirSync(join(root, 'linked'));
    symlinkSync(there('victim.git'), join(root, 'linked', '.git'));
    await expectCode('linked', 'path-refused', /outside the workspace/);
    served.init('common');
    served.put('common/.git/commondir', `${there('victim.git')}\n`);
    await expectCode('common', 'path-refused', /outside the workspace/);
    served.init('alternates');
    served.put('alternates/.git/objects/info/alternates', `${there('victim.git')}/objects\n`);
    await expectCode('alternates', 'path-refused', /alternates/);
    served.init('objects');
    rmSync(join(root, 'objects/.git/objects'), { recursive: true });
    symlinkSync(`${there('victim.git')}/objects`, join(root, 'objects/.git/objects'));
    await expectCode('objects', 'path-refused', /objects/);
    served.init('names');
    rmSync(join(root, 'names/.git/refs/heads'), { recursive: true });
    symlinkSync(`${there('victim.git')}/refs/heads`, join(root, 'names/.git/refs/heads'));
    await expectCode('names', 'path-refused', /refs\/heads/);
    served.init('pack');
    rmSync(join(root, 'pack/.git/objects/pack'), { recursive: true });
    symlinkSync(`${there('victim.git')}/objects/pack`, join(root, 'pack/.git/objects/pack'));
    await expectCode('pack', 'path-refused', /objects\/pack/);
    served.init('elsewhere');
    served.git('elsewhere', 'config', 'core.worktree', there(''));
    await expectCode('elsewhere', 'path-refused', /core\.worktree/);
    served.init('config');
    rmSync(join(root, 'config/.git/config'));
    symlinkSync(there('victim.git/config'), join(root, 'config/.git/config'));
    await expectCode('config', 'path-refused', /config/);
    for (const name of [
      'victim',
      'pointer',
      'linked',
      'common',
      'alternates',
      'objects',
      'names',
      'pack',
      'elsewhere',
      'config',
    ]) {
      rmSync(join(root, name), { recursive: true });
    }
  });

  test('T3: blame does not follow a folder that became a link out of the workspace', async () => {
    served.init('swap');
    served.put('swap/dir/passwd', 'tracked\n');
    served.commit('swap', 'x');
    rmSync(join(root, 'swap/dir'), { recursive: true });
    symlinkSync('/etc', join(root, 'swap/dir'));
    const blame = await served.call('git_blame', { repository: 'swap', path: 'dir/passwd' });
    assert.equal(blame.code, 'path-refused', blame.text);
    const diff = await served.call('git_diff', { repository: 'swap' });
    assert.doesNotMatch(JSON.stringify(diff), /root:/);
    rmSync(join(root, 'swap'), { recursive: true });
  });

  test('T8: detached HEAD, a merge with conflicts, a lock that was left, a SHA-256 repository', async () => {
    served.init('states', '--object-format=sha256');
    served.put('states/a.txt', 'one\n');
    const one = served.commit('states', 'one');
    assert.equal(one.length, 64);
    served.git('states', 'switch', '-qc', 'side');
    served.put('states/a.txt', 'side\n');
    served.commit('states', 'side');
    served.git('states', 'switch', '-q', 'main');
    served.put('states/a.txt', 'two\n');
    served.commit('states', 'two');
    assert.throws(() => served.git('states', 'merge', 'side'));
    const merging = await served.call('git_status', { repository: 'states' });
    assert.deepEqual(merging.structured.underWay, ['merge']);
    assert.deepEqual(merging.structured.entries, [{ path: 'a.txt', unstaged: 'in conflict' }]);
    served.git('states', 'merge', '--abort');
    served.git('states', 'checkout', '-q', one);
    writeFileSync(join(root, 'states/.git/index.lock'), '');
    const detached = await served.call('git_status', { repository: 'states' });
    assert.match(detached.text, /HEAD is detached, at [0-9a-f]{12}\. Under way: another git/);
    assert.equal((await served.call('git_show', { repository: 'states' })).structured.commit.id, one);
    rmSync(join(root, 'states'), { recursive: true });
  });

  test('T8: shallow and partial clones, damaged objects, configuration and index, formats of the future', async () => {
    served.git('.', 'clone', '-q', '--depth=1', `file://${root}`, 'shallow');
    const shallow = await served.call('git_log', { repository: 'shallow' });
    assert.match(shallow.text, /shallow clone/);
    served.git('.', 'config', 'uploadpack.allowFilter', 'true');
    served.git('.', 'clone', '-q', '--filter=blob:none', '--no-checkout', `file://${root}`, 'partial');
    const partial = await served.call('git_show', { repository: 'partial', path: 'src/sum.mjs' });
    assert.equal(partial.code, 'missing-object');
    assert.match(partial.text, /partial clone.*Nothing is fetched/);
    served.init('broken');
    served.put('broken/a.txt', 'one\n');
    served.commit('broken', 'x');
    const blob = served.git('broken', 'rev-parse', 'HEAD:a.txt');
    const object = join(root, 'broken/.git/objects', blob.slice(0, 2), blob.slice(2));
    rmSync(object);
    writeFileSync(object, 'no zlib at all');
    const damaged = await served.call('git_show', { repository: 'broken', path: 'a.txt' });
    assert.equal(damaged.code, 'corrupt-repository', damaged.text);
    truncateSync(join(root, 'broken/.git/index'), 20);
    const index = await served.call('git_status', { repository: 'broken' });
    assert.equal(index.code, 'corrupt-repository', index.text);
    served.put('broken/.git/config', '[core\nnonsense');
    await expectCode('broken', 'corrupt-repository', /configuration/);
    served.put('broken/.git/config', '[core]\nrepositoryformatversion = 1\n[extensions]\nfromTheFuture = true\n');
    await expectCode('broken', 'unknown-format', /fromthefuture/);
    for (const name of ['shallow', 'partial', 'broken']) rmSync(join(root, name), { recursive: true });
  });

  test('T3: a submodule is compared by its commit, and nothing of its configuration is run', async () => {
    const mark = join(base, 'submodule-ran');
    served.init('super');
    served.init('super/sub');
    served.put('super/sub/a.txt', 'one\n');
    served.commit('super/sub', 'one');
    served.git('super', 'add', '.');
    served.git('super', 'commit', '-qm', 'with submodule');
    served.git('super/sub', 'config', 'core.fsmonitor', `touch ${mark}; false`);
    served.put('super/sub/a.txt', 'two\n');
    served.put('super/.gitmodules', '[submodule "sub"]\npath = sub\nurl = ext::touch x\nignore = none\n');
    for (const tool of ['git_status', 'git_diff', 'git_log', 'git_show']) {
      assert.equal((await served.call(tool, { repository: 'super' })).code, undefined, tool);
    }
    assert.throws(() => lstatSync(mark));
    served.git('super/sub', 'status');
    assert.ok(lstatSync(mark), 'a plain git runs it');
    rmSync(join(root, 'super'), { recursive: true });
  });

  test('T8: 20 calls at once, some of them cancelled, are all answered and leave nothing', async () => {
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const controller = new AbortController();
      if (index % 4 === 0) setTimeout(() => controller.abort(), 5);
      return served.client.callTool({ name: 'git_log', arguments: {} }, { signal: controller.signal }).then(
        ({ isError }) => !isError,
        () => index % 4 === 0,
      );
    });
    assert.deepEqual(new Set(await Promise.all(calls)), new Set([true]));
    await served.call('git_status');
    assert.deepEqual(readdirSync(join(base, 'state', 'views')), []);
  });
});
