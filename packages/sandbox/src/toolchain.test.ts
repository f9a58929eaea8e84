import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { toolchainFor } from './toolchain.ts';

suite('G8: programs of the host', () => {
  let home = '';
  before(() => {
    home = join(realpathSync(mkdtempSync(join(tmpdir(), 'capstan-toolchain-'))), 'home/alice');
    for (const folder of ['.ssh', '.config']) mkdirSync(join(home, folder), { recursive: true });
  });
  after(() => rmSync(dirname(dirname(home)), { recursive: true, force: true }));

  function install(path: string, content = '#!/bin/sh\n'): void {
    const program = join(home, path);
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, content);
    chmodSync(program, 0o755);
  }
  const bound = async (name: string, ...folders: string[]): Promise<string[]> => {
    const path = folders.map((folder) => join(home, folder)).join(':');
    const toolchain = await toolchainFor([name], path);
    assert.deepEqual(toolchain.missing, []);
    assert.ok(toolchain.binds.every(({ access }) => access === 'read'));
    return toolchain.binds.map(({ from }) => from.slice(home.length + 1)).sort();
  };

  test('G8: programs of the system need nothing', async () => {
    const toolchain = await toolchainFor(['sh'], '/usr/bin:/bin');
    assert.deepEqual([toolchain.binds, toolchain.missing], [[], []]);
  });

  test('G8: what is not there is missing, and relative folders are not searched', async () => {
    install('planted/tool');
    assert.deepEqual((await toolchainFor(['tool', 'absent'], 'planted:.:/nowhere')).missing, ['tool', 'absent']);
  });

  test('G8: an installation is bound as a whole', async () => {
    install('.nvm/versions/node/v24.0.0/bin/node');
    assert.deepEqual(await bound('node', '.nvm/versions/node/v24.0.0/bin'), ['.nvm/versions/node/v24.0.0']);
  });

  test('G8: a home folder never is, only its folder of programs', async () => {
    install('bin/tool');
    install('.local/bin/other');
    mkdirSync(join(home, '.local/share/keyrings'), { recursive: true });
    assert.deepEqual(await bound('tool', 'bin'), ['bin']);
    assert.deepEqual(await bound('other', '.local/bin'), ['.local/bin']);
  });

  test('G8: a program directly in a home folder is missing', async () => {
    install('direct');
    assert.deepEqual((await toolchainFor(['direct'], home)).missing, ['direct']);
  });

  test('G8: links, interpreters and virtual environments are followed', async () => {
    install('python/bin/python3');
    install('venvs/tool/bin/tool', `#!${join(home, 'venvs/tool/bin/python')}\n`);
    symlinkSync(join(home, 'python/bin/python3'), join(home, 'venvs/tool/bin/python'));
    writeFileSync(join(home, 'venvs/tool/pyvenv.cfg'), `home = ${join(home, 'python/bin')}\n`);
    mkdirSync(join(home, 'links'));
    symlinkSync(join(home, 'venvs/tool/bin/tool'), join(home, 'links/tool'));
    assert.deepEqual(await bound('tool', 'links'), ['links', 'python', 'venvs/tool']);
  });

  test('G8: pyenv finds its versions below one folder', async () => {
    install('.pyenv/shims/python3');
    for (const folder of ['versions', 'libexec']) mkdirSync(join(home, '.pyenv', folder));
    const toolchain = await toolchainFor(['python3'], join(home, '.pyenv/shims'));
    assert.deepEqual(
      toolchain.binds.map(({ from }) => from),
      [join(home, '.pyenv')],
    );
    assert.equal(toolchain.environment.PYENV_ROOT, join(home, '.pyenv'));
  });

  test('G8: cargo comes with its caches and without its credentials', async () => {
    install('.cargo/bin/cargo');
    install('.rustup/toolchains/stable/bin/cargo');
    mkdirSync(join(home, '.cargo/registry'));
    writeFileSync(join(home, '.cargo/credentials.toml'), 'token');
    const toolchain = await toolchainFor(['cargo'], join(home, '.cargo/bin'));
    const binds = toolchain.binds.map(({ from, to }) => [from.slice(home.length + 1), to.replace(`${home}/`, '')]);
    assert.deepEqual(binds, [
      ['.cargo/bin', '.cargo/bin'],
      ['.rustup', '.rustup'],
      ['.cargo/registry', '/tmp/home/.cargo/registry'],
    ]);
    assert.equal(toolchain.environment.CARGO_NET_OFFLINE, 'true');
  });
});
