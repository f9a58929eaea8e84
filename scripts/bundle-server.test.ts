import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleServer } from './bundle-server.ts';

const installation = fileURLToPath(new URL('..', import.meta.url));

function bundled(t: TestContext): string {
  const out = mkdtempSync(join(tmpdir(), 'capstan-bundle-'));
  t.after(() => rmSync(out, { recursive: true }));
  // What the package declares is installed beside it: native packages.
  symlinkSync(join(installation, 'node_modules'), join(out, 'node_modules'));
  return out;
}

/** What a server's process answers to tools/list. */
async function toolsOf(t: TestContext, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  const ask = async (id: number, method: string, params: object): Promise<{ result?: unknown }> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const [line] = (await once(lines, 'line')) as [string];
    return JSON.parse(line) as { result?: unknown };
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const { result } = await ask(2, 'tools/list', {});
  child.stdin.end();
  await once(child, 'exit');
  return result;
}

test('T1: the package of a server answers as its sources do, and holds no path of the machine that made it', async (t) => {
  const out = bundled(t);
  const { folder } = await bundleServer('repair', out);
  const executable = join(folder, 'bin', 'capstan-repair.mjs');
  accessSync(executable, constants.X_OK);
  const state = mkdtempSync(join(out, 'state-'));
  const options = ['--root', out, '--state', state, '--sandbox', 'none', '--search-path', '/usr/bin'];
  const main = join(installation, 'packages', 'servers', 'repair', 'src', 'main.ts');
  assert.deepEqual(await toolsOf(t, [executable, ...options]), await toolsOf(t, [main, ...options]));
  for (const file of readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.mjs')) continue;
    assert.ok(!readFileSync(join(folder, 'dist', file), 'utf8').includes(installation), file);
  }
});

test('T1: the package of a server declares what it needs and nothing of this repository, and passes licenses on', async (t) => {
  const { folder } = await bundleServer('repair', bundled(t));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object>;
  assert.deepEqual(Object.keys(manifest.dependencies ?? {}), ['oxc-parser']);
  assert.match(Object.values(manifest.dependencies ?? {}).join(), /^\d+\.\d+\.\d+$/);
  assert.deepEqual(manifest.bin, { 'capstan-repair': 'bin/capstan-repair.mjs' });
  assert.match(readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8'), /^zod \d.*\(MIT\)$/m);
  assert.ok(readdirSync(join(folder, 'dist', 'runtime')).length > 3, 'what repair runs in the sandbox is there');
});
