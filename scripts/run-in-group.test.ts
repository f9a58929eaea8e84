import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { plantTree } from './checks/planted-tree.ts';

const runner = new URL('run-in-group.mjs', import.meta.url).href;

/** A process that runs `program` in a group and, when that has ended, says how; `lines` is what both print. */
function start(context: TestContext, program: string) {
  const folder = plantTree(context, {
    'program.mjs': program,
    'runner.mjs': `import { runInGroup } from ${JSON.stringify(runner)};
      const ended = await runInGroup(process.execPath, ['program.mjs'], {
        cwd: import.meta.dirname, env: process.env, onOutput: (text) => process.stdout.write(text),
      });
      console.log(JSON.stringify(ended));`,
  });
  const child = spawn(process.execPath, [join(folder, 'runner.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(() => child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit'), lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

async function next(lines: AsyncIterator<string>): Promise<string> {
  return String((await lines.next()).value);
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await wait(100);
  }
  return false;
}

test('output and exit code come through', async (context) => {
  const { lines, ended } = start(context, "console.log('hello'); process.exitCode = 7;");
  assert.equal(await next(lines), 'hello');
  assert.deepEqual(JSON.parse(await next(lines)), { code: 7 });
  assert.deepEqual(await ended, [0, null]);
});

/** Starts a process of its own, prints both ids, and both stay, whatever they are sent below SIGKILL where `stubborn`. */
const family = (stubborn: boolean) => `
  import { spawn } from 'node:child_process';
  const stay = ${JSON.stringify(stubborn ? "for (const s of ['SIGTERM','SIGINT','SIGHUP']) process.on(s, () => {});" : '')};
  const forever = stay + 'setInterval(() => {}, 1000); console.log(process.pid);';
  spawn(process.execPath, ['-e', forever], { stdio: 'inherit' });
  eval(forever);`;

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  for (const stubborn of [false, true]) {
    test(`${signal} ends the whole tree of ${stubborn ? 'a stubborn' : 'an ordinary'} command`, async (context) => {
      const { child, lines, ended } = start(context, family(stubborn));
      const pids = [Number(await next(lines)), Number(await next(lines))];
      child.kill(signal);
      const { interrupted } = JSON.parse(await next(lines)) as { interrupted: string };
      assert.equal(interrupted, signal);
      assert.deepEqual(await ended, [0, null]);
      for (const pid of pids) assert.ok(await gone(pid), `${pid} is gone`);
    });
  }
}
