import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { type Answer, type ExecBench, openBench } from './testing/exec-client.ts';
import { eventually, processesWith } from './testing/host-processes.ts';
import { hostileCommands } from './testing/hostile-commands.ts';
import { workingSandboxes } from './testing/working-sandboxes.ts';

const [sandbox] = await workingSandboxes();
const skip = sandbox === undefined ? 'needs a sandbox: neither bubblewrap nor util-linux works on this machine' : false;
const marker = `48.${process.pid}`;

describe('commands', { skip }, () => {
  let bench: ExecBench;
  const run = (commandId: string, parameters: Record<string, unknown> = {}, more = {}): Promise<Answer> =>
    bench.call('run_command', { commandId, parameters, ...more });
  const gone = (): Promise<boolean> => eventually(async () => (await processesWith(marker)).length === 0);

  before(async () => {
    const templates = ['seed = node echo.mjs --rows={rows:1..9} {--quiet} {to:dev|prod} {files?...:path} # Fills it'];
    bench = await openBench({
      sandbox: sandbox ?? 'none',
      files: hostileCommands(marker),
      arguments: () => [
        '--commands',
        JSON.stringify({ templates, deny: ['npm:missing'] }),
        '--shell',
        'on',
        '--protect',
        'kept',
      ],
    });
  });
  after(() => bench.close());

  test('T10: what can be run is listed with its parameters and where it comes from', async () => {
    const { text, commands } = await bench.call('list_commands', {});
    assert.match(
      text,
      /- config:seed \(configuration\): Fills it\. node .*Takes rows: 1\.\.9, quiet\?: true for --quiet, to: dev\|prod/,
    );
    assert.match(
      text,
      /- npm:test \(package\.json scripts\.test\): npm test -- \{arguments\} Takes arguments\?: list of arguments/,
    );
    assert.match(text, /Switched off by the configuration: npm:missing/);
    assert.equal(commands.find(({ id }) => id === 'npm:test')?.isCheck, true);
    const narrow = await bench.call('list_commands', { match: 'cart' });
    assert.deepEqual(
      narrow.commands.map(({ id }) => id),
      ['npm:where@packages/cart', 'node:file@packages/cart'],
    );
  });

  test('T10: values become words, whatever they hold, and a package runs in its folder', async () => {
    const odd = ['a b', '$(id)', '; rm -rf x', '\'"\\', '*', '中文', '--flag', ''];
    const { output, job } = await run('npm:echo', { arguments: odd });
    assert.ok(output.text.includes(`${JSON.stringify(odd)} /workspace`), output.text);
    assert.deepEqual([job.state, job.exitCode], ['exited', 0]);
    const own = await run('config:seed', { rows: 3, quiet: true, to: 'dev', files: ['echo.mjs', 'packages/cart'] });
    assert.ok(own.output.text.includes('["--rows=3","--quiet","dev","echo.mjs","packages/cart"]'), own.output.text);
    const inner = await run('npm:where@packages/cart');
    assert.match(inner.output.text, /\[\] \/workspace\/packages\/cart/);
  });

  test('T4 T10: values that do not fit are answered with what fits, and nothing is run', async () => {
    for (const [commandId, parameters, reason] of [
      ['npm:nothing', {}, /There is no command "npm:nothing" here\. Hint: Use one of: "config:seed"/],
      ['npm:missing', {}, /The configuration switches npm:missing off/],
      ['node:file', { file: '../../etc/passwd' }, /contains "\.\."/],
      ['node:file', { file: '--eval=1' }, /would read as an option/],
      ['node:file', { file: '/etc/passwd' }, /is absolute/],
      ['node:file', {}, /"file": it is missing\. Hint: It takes file: path, arguments\?: list of arguments/],
      ['config:seed', { rows: 10, to: 'dev' }, /10 is not within 1\.\.9/],
      ['config:seed', { rows: '1', to: 'dev' }, /is a whole number/],
      ['config:seed', { rows: 1, to: 'test' }, /none of its words/],
      ['npm:echo', { arguments: ['a\0b'] }, /NUL/],
      ['npm:echo', { words: [] }, /has no parameter "words"/],
    ] as const) {
      const { text, failure } = await run(commandId, parameters);
      assert.equal(failure?.level, 'param', commandId);
      assert.match(text, reason);
    }
  });

  test('T9: a dry run shows the exact words and runs nothing', async () => {
    const { plan, text, job } = await run('npm:echo', { arguments: ['a b'] }, { dryRun: true, timeoutMs: 2000 });
    assert.deepEqual(plan.argv, ['npm', 'run', 'echo', '--', 'a b']);
    assert.match(text, /^Would run: npm run echo -- "a b"\nin \/workspace, .*no network, at most 2 s/);
    assert.equal(job, undefined);
    for (const name of ['start_job', 'shell']) {
      const input = name === 'shell' ? { command: 'echo x' } : { commandId: 'npm:echo' };
      assert.match((await bench.call(name, { ...input, dryRun: true })).text, /^Would run: .*\nin \/workspace/);
    }
  });

  test('T7 T10: of a flood head and tail are shown, and any part that is kept can be read', async () => {
    const { text, output, job } = await run('node:file', { file: 'flood.mjs', arguments: ['40'] });
    assert.ok(Buffer.byteLength(text) <= 8192);
    assert.match(output.text, /^begin\nflood [\s\S]*bytes left out[\s\S]*\nthe end\n$/);
    assert.ok(job.outputBytes > 40 * 1024 * 1024);
    const middle = await bench.call('read_job', { jobId: job.jobId, offset: 5_000_000 });
    assert.match(middle.text, /flood flood/);
    assert.equal(middle.skipped, 0);
    const lost = await bench.call('read_job', { jobId: job.jobId, offset: 20_000_000 });
    assert.ok(lost.skipped > 20_000_000);
    const end = await bench.call('read_job', { jobId: job.jobId, offset: job.outputBytes - 9 });
    assert.match(end.text, /the end\n$/);
  });

  test('T10: control sequences, NUL, broken UTF-8 and progress bars come out readable', async () => {
    const { output } = await run('node:file', { file: 'odd.mjs' });
    assert.equal(output.text, 'a\ufffd\ufffdb\nred\n[100 earlier states of this line]\n100%\n完成\n');
  });

  test('T10: closed outputs, an open input and an inherited pipe do not hang a call', async () => {
    const silent = await run('node:file', { file: 'silent.mjs' }, { timeoutMs: 20_000 });
    assert.deepEqual([silent.job.state, silent.job.exitCode], ['exited', 7]);
    const input = await run('node:file', { file: 'input.mjs' }, { timeoutMs: 20_000 });
    assert.match(input.output.text, /end 0/);
    const left = await run('make:left', {}, { timeoutMs: 20_000 });
    assert.deepEqual([left.job.state, left.job.exitCode], ['exited', 0]);
    assert.ok(await gone());
  });

  test('T10: a command that ignores signals ends with its time, and when its call is cancelled', async () => {
    const late = await run('node:file', { file: 'stubborn.mjs' }, { timeoutMs: 1500 });
    assert.deepEqual([late.job.state, late.job.exitCode], ['timed-out', null]);
    assert.match(late.output.text, /killed: over the time limit/);
    const controller = new AbortController();
    const lines: string[] = [];
    const call = bench
      .call(
        'run_command',
        { commandId: 'node:file', parameters: { file: 'stubborn.mjs' } },
        { signal: controller.signal, onprogress: ({ message = '' }) => lines.push(message) },
      )
      .catch((error: Error) => error);
    assert.ok(await eventually(async () => lines.length > 0), 'it streams');
    assert.equal(lines[0], `node:file: ready ${marker}`);
    controller.abort();
    assert.ok((await call) instanceof Error);
    assert.ok(await eventually(async () => (await processesWith('stubborn.mjs')).length === 0));
  });

  test('T10: a job is read while it runs, waited for, and stopped with all that it started', async () => {
    const file = 'serve.mjs';
    const { job } = await bench.call('start_job', { commandId: 'node:file', parameters: { file } });
    assert.equal(job.state, 'running');
    const { jobId } = job;
    const ready = await bench.call('read_job', { jobId, waitSeconds: 20, until: 'listening on' });
    assert.match(ready.text, /stands at 9\.[\s\S]*starting\nlistening on a port/);
    const rest = await bench.call('read_job', { jobId, offset: ready.nextOffset, waitSeconds: 0.2, until: 'never' });
    assert.match(rest.text, /"never" did not come/);
    assert.match((await bench.call('list_jobs', {})).text, /node:file is running .* listening on a port/);
    assert.match((await bench.call('stop_job', { jobId, dryRun: true })).text, /^Would end/);
    const stopped = await bench.call('stop_job', { jobId });
    assert.equal(stopped.job.state, 'stopped');
    assert.deepEqual(await processesWith(file), []);
    assert.match((await bench.call('read_job', { jobId })).text, /starting\nlistening/);
    const unknown = await bench.call('read_job', { jobId: 'job-999' });
    assert.match(unknown.text, /There is no job "job-999"\. Hint: There are job-/);
  });

  test('T10: no more jobs than allowed run, and they end with the server', async () => {
    const started = await Promise.all(
      Array.from({ length: 30 }, () => bench.call('start_job', { commandId: 'npm:wait' })),
    );
    const refused = started.filter(({ failure }) => failure !== undefined);
    assert.deepEqual([started.length - refused.length, refused[0]?.failure?.code], [8, 'too-many-jobs']);
    await Promise.all(
      started.flatMap(({ job, failure }) => (failure ? [] : [bench.call('stop_job', { jobId: job.jobId })])),
    );
    assert.ok(await gone());
  });

  test('T10: a thousand calls at once are run or refused, and none is lost', async () => {
    const calls = Array.from({ length: 1000 }, () => run('make:left'));
    const answers = await Promise.all(calls);
    const busy = answers.filter(({ failure }) => failure?.code === 'busy');
    const done = answers.filter(({ job }) => job?.exitCode === 0);
    assert.equal(busy.length + done.length, 1000);
    assert.ok(done.length >= 36 && busy[0]?.failure?.level === 'retryable', String(done.length));
    assert.ok(await gone());
  });

  test('T10: the shell is in the sandbox, in a folder of the workspace, and what is protected stays', async () => {
    const { output } = await bench.call('shell', {
      command: 'echo $((1+1)) | cat; pwd; ls ~',
      directory: 'packages/cart',
    });
    assert.equal(output.text, '2\n/workspace/packages/cart\n');
    const outside = await bench.call('shell', { command: 'true', directory: '../x' });
    assert.equal(outside.failure?.level, 'param');
    const absent = await bench.call('shell', { command: 'true', directory: 'nowhere' });
    assert.equal(absent.failure?.level, 'param');
    const network = await bench.call('shell', { command: 'exec 3<>/dev/tcp/127.0.0.1/1 || echo none' });
    assert.match(network.output.text, /none/);
    const kept = await bench.call('shell', {
      command: 'echo x >> kept/rule.md; echo y > kept/new; echo z > free.md; cat kept/*',
    });
    assert.equal(kept.output.text.split('\n').at(-2), 'mine');
    assert.equal(kept.output.text.match(/Read-only file system/g)?.length, 2, kept.output.text);
  });

  test('T10: when the workspace is gone, what was asked for is refused in words', async () => {
    await rm(bench.root, { recursive: true });
    const { text, failure } = await run('npm:echo');
    assert.deepEqual([failure?.level, failure?.code], ['fatal', 'workspace-lost']);
    assert.match(text, /^The workspace is not there any more\. Hint: /);
  });
});

test('T10: without a word of the person there is no shell, and without a sandbox nothing runs', async (t) => {
  const bench = await openBench({ sandbox: 'none', files: { Makefile: 'all:\n\techo\n' } });
  t.after(() => bench.close());
  const { tools } = await bench.client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['list_checks', 'list_commands', 'run_check', 'run_command', 'start_job', 'read_job', 'stop_job', 'list_jobs'],
  );
  for (const name of ['run_command', 'start_job']) {
    const { failure } = await bench.call(name, { commandId: 'make:all' });
    assert.deepEqual([failure?.level, failure?.code], ['fatal', 'no-sandbox']);
  }
});

test('T10: when the host is killed, jobs die with the server', { skip }, async (t) => {
  const own = `49.${process.pid}`;
  const bench = await openBench({ sandbox: sandbox ?? 'none', files: hostileCommands(own) });
  t.after(() => bench.close());
  await bench.call('start_job', { commandId: 'make:left' });
  await bench.call('start_job', { commandId: 'npm:wait' });
  assert.ok(await eventually(async () => (await processesWith(own)).length > 0), 'it runs');
  process.kill(bench.pid, 'SIGKILL');
  assert.ok(await eventually(async () => (await processesWith(own)).length === 0));
});
