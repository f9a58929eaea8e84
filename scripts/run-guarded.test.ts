import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { plantTree } from './checks/planted-tree.ts';

const runGuarded = new URL('run-guarded.mjs', import.meta.url).href;

const launcher = `
import { endLike, runGuarded } from '${runGuarded}';
endLike(await runGuarded(process.execPath, process.argv.slice(2)));
`;

/** Starts a launcher that runs the module guarded; the module's lines come as they are printed. */
function startLauncher(context: TestContext, module: string, args: readonly string[] = []) {
  const folder = plantTree(context, { 'launcher.mjs': launcher, 'a module.mjs': module });
  const child = spawn(process.execPath, [join(folder, 'launcher.mjs'), join(folder, 'a module.mjs'), ...args], {
    stdio: 'pipe',
  });
  return { child, ended: once(child, 'exit'), lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next();
  assert.notEqual(done, true, 'the process ended without printing its line');
  return value;
}

test('arguments, standard streams and the exit code pass through', async (context) => {
  const module = `
    process.stdin.on('data', (data) => console.log(JSON.stringify([process.argv.slice(2), String(data)])));
    process.stdin.on('end', () => process.exit(3));`;
  const { child, ended, lines } = startLauncher(context, module, ['--json', 'two words', '']);
  child.stdin.end('typed');
  assert.deepEqual(JSON.parse(await nextLine(lines)), [['--json', 'two words', ''], 'typed']);
  assert.deepEqual(await ended, [3, null]);
});

test('a module that has nothing more to do ends', async (context) => {
  const { ended } = startLauncher(context, 'process.exitCode = 7;');
  assert.deepEqual(await ended, [7, null]);
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} reaches the process, once`, async (context) => {
    const module = `
      let count = 0;
      process.on('${signal}', () => { count += 1; setTimeout(() => { console.log(count); process.exit(5); }, 100); });
      setInterval(() => undefined, 1000);
      console.log('ready');`;
    const { child, ended, lines } = startLauncher(context, module);
    assert.equal(await nextLine(lines), 'ready');
    child.kill(signal);
    assert.equal(await nextLine(lines), '1');
    assert.deepEqual(await ended, [5, null]);
  });
}

test('the launcher ends by the signal that ended the process', async (context) => {
  const { ended } = startLauncher(context, "process.kill(process.pid, 'SIGKILL');");
  assert.deepEqual(await ended, [null, 'SIGKILL']);
});

test('the process does not outlive a launcher that is killed', async (context) => {
  const module = 'setInterval(() => undefined, 1000); console.log(process.pid);';
  await killAndExpectEnd(startLauncher(context, module));
});

test('a process that ignores SIGTERM does not outlive the launcher either', async (context) => {
  const module =
    "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log(process.pid);";
  await killAndExpectEnd(startLauncher(context, module));
});

test('what the process starts does not inherit the lifeline', async (context) => {
  if (process.platform !== 'linux') return context.skip('needs Linux: open files are listed in /proc there');
  const module = `
    import { spawnSync } from 'node:child_process';
    import { readlinkSync } from 'node:fs';
    const lifeline = readlinkSync('/proc/self/fd/3');
    const { stdout } = spawnSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8' });
    console.log(lifeline.startsWith('socket:'), stdout.includes('0 -> '), stdout.includes(lifeline));`;
  const { ended, lines } = startLauncher(context, module);
  assert.equal(await nextLine(lines), 'true true false');
  assert.deepEqual(await ended, [0, null]);
});

interface Launched {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<unknown>;
  readonly lines: AsyncIterator<string>;
}

async function killAndExpectEnd({ child, ended, lines }: Launched): Promise<void> {
  const pid = Number(await nextLine(lines));
  assert.equal(isRunning(pid), true);
  child.kill('SIGKILL');
  await ended;
  for (let tries = 0; isRunning(pid) && tries < 200; tries += 1) await wait(100);
  assert.equal(isRunning(pid), false);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
