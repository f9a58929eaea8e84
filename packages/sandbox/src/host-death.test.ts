import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from './process-tree.ts';
import { kindsHere, processesLeft } from './testing/attack-fixture.ts';

const searchPath = process.env.PATH ?? '';
const index = new URL('./index.ts', import.meta.url).href;

/** A host of its own: it starts sandboxes, says so, and waits to be killed. */
function startHost(kind: string, mark: string, body: string, folder?: number): ChildProcess {
  const script = `
    import { createSandboxRunner, defaultLimits, launchInSandbox } from ${JSON.stringify(index)};
    import { spawn } from 'node:child_process';
    const kind = ${JSON.stringify(kind)};
    const searchPath = ${JSON.stringify(searchPath)};
    const runner = createSandboxRunner({ kind, searchPath });
    const profile = { binds: [], masked: [], environment: { PATH: '/usr/bin:/bin' }, workingDirectory: '/tmp', limits: defaultLimits };
    const shell = (script) => ['/bin/sh', '-c', script + ' # ${mark}'];
    const run = (script, onOutput) => runner.run({ argv: shell(script), profile, onOutput });
    setInterval(() => {}, 1000);
    ${body}`;
  const stdio = ['ignore', 'pipe', 'inherit', ...(folder === undefined ? [] : ['ignore' as const, folder])] as const;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] });
}

async function firstLine(host: ChildProcess): Promise<string> {
  const [data] = (await once(host.stdout ?? host, 'data')) as [Buffer];
  return data.toString();
}

async function survivorsOf(mark: string, host: ChildProcess): Promise<string[]> {
  return (await processesLeft(mark, host.pid)).map(describe);
}

function describe(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^(Name|State|PPid|NSpid|NSpgid):.*$/gm) ?? [];
    return [pid, ...status].join(' ');
  } catch {
    return `${pid}, which has just ended`;
  }
}

async function kill(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return;
  host.kill('SIGKILL');
  await once(host, 'exit');
}

const daemons = `trap '' TERM HUP INT; (setsid sh -c "trap '' TERM; while :; do sleep 1; done" >/dev/null 2>&1 &); echo up; while :; do sleep 1; done`;

for (const { kind, skip } of kindsHere(searchPath)) {
  suite(`T10: the end of the host in ${kind}`, { skip }, () => {
    test('T10: nothing survives a host that is killed while a command runs', async () => {
      const mark = randomUUID();
      const host = startHost(kind, mark, `run(${JSON.stringify(daemons)}, () => console.log('up'));`);
      await firstLine(host);
      const below = descendantsOf(host.pid ?? 0);
      await kill(host);
      assert.ok(below.length >= 4, `${below.length} processes`);
      assert.deepEqual(await survivorsOf(mark, host), []);
    });

    test('T10: nothing survives a host that is killed at any moment of a start', async () => {
      for (let delay = 0; delay < 60; delay += 5) {
        const mark = randomUUID();
        const host = startHost(kind, mark, `console.log('go'); run(${JSON.stringify(daemons)});`);
        await firstLine(host);
        await sleep(delay);
        await kill(host);
        assert.deepEqual(await survivorsOf(mark, host), [], `after ${delay} ms`);
      }
    });

    test('T10: a long-lived server talks over its pipes and dies with the host', async () => {
      const mark = randomUUID();
      const host = startHost(
        kind,
        mark,
        `const launch = launchInSandbox(kind, profile, shell('(setsid sleep 1000 &); grep Seccomp: /proc/self/status; cat'), searchPath);
         const server = spawn(launch.command, launch.args, { env: launch.environment, stdio: ['pipe', 'pipe', 'inherit'] });
         server.stdin.write('ping');
         let said = '';
         server.stdout.on('data', (data) => { said += data; if (said.includes('ping')) console.log(said); });`,
      );
      const said = await firstLine(host);
      await kill(host);
      assert.match(said, /Seccomp:\s+[02]\nping/);
      assert.deepEqual(await survivorsOf(mark, host), []);
    });

    test('T10: closing its input ends a server and what it left behind', async () => {
      const mark = randomUUID();
      const host = startHost(
        kind,
        mark,
        `const launch = launchInSandbox(kind, profile, shell('(setsid sleep 1000 &); cat'), searchPath);
         const server = spawn(launch.command, launch.args, { env: launch.environment, stdio: ['pipe', 'pipe', 'inherit'] });
         server.stdin.end('bye');
         server.on('close', (code) => console.log('closed', code));`,
      );
      const said = await firstLine(host);
      const survivors = await survivorsOf(mark, host);
      await kill(host);
      assert.deepEqual([said, survivors], ['closed 0\n', []]);
    });

    test('G8: a folder that the host inherited open does not reach the sandbox', async () => {
      for (const way of ['run', 'launch']) {
        const mark = randomUUID();
        const list = `for f in /proc/self/fd/*; do readlink $f; done | grep -c "^/usr/share"`;
        const body =
          way === 'run'
            ? `run(${JSON.stringify(list)}, (_, chunk) => console.log('' + Buffer.from(chunk)));`
            : `const launch = launchInSandbox(kind, profile, shell(${JSON.stringify(list)}), searchPath);
               spawn(launch.command, launch.args, { env: launch.environment, stdio: ['ignore', 'inherit', 'inherit'] });`;
        const host = startHost(kind, mark, body, openSync('/usr/share', 'r'));
        const said = await firstLine(host);
        await kill(host);
        assert.match(said, /^0\n/);
      }
    });
  });
}
