import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ExecBench, openBench } from './testing/exec-client.ts';
import { eventually, processesWith } from './testing/host-processes.ts';
import { hostileRepository } from './testing/hostile-repository.ts';
import { workingSandboxes } from './testing/working-sandboxes.ts';

const kinds = await workingSandboxes();

for (const sandbox of ['bubblewrap', 'util-linux'] as const) {
  const skip = kinds.includes(sandbox) ? false : `needs ${sandbox}: it does not work on this machine`;
  describe(`exec in ${sandbox}`, { skip }, () => {
    const marker = `47.${process.pid}${sandbox.length}`;
    let bench: ExecBench | undefined;
    before(async () => {
      const environment = { API_TOKEN: 'canary-in-environment' };
      bench = await openBench({ sandbox, environment, files: hostileRepository(marker) });
    });
    after(() => bench?.close());
    declareTests(() => bench ?? assert.fail('the server did not start'), marker, sandbox);
  });
}

function declareTests(opened: () => ExecBench, marker: string, sandbox: string): void {
  const gone = (): Promise<boolean> => eventually(async () => (await processesWith(marker)).length === 0);

  test('A4: a passing suite is read test by test', async () => {
    const { report, containment, text } = await opened().run({ checkId: 'npm:test:pass' });
    assert.deepEqual([report.outcome, report.passed, report.failed, report.skipped], ['passed', 1, 0, 1]);
    assert.deepEqual(report.tests[0]?.id, 'pass.test.mjs > adds');
    assert.equal(containment, sandbox);
    assert.match(text, /^npm:test:pass passed: 1 passed, 0 failed, 1 skipped \(exit code 0,/);
  });

  test('A4: a failing suite names its tests, their messages and where', async () => {
    const { report, text } = await opened().run({ checkId: 'npm:test:fail' });
    assert.deepEqual([report.outcome, report.exitCode], ['failed', 1]);
    const failed = report.tests.filter((found) => found.status === 'failed').map((found) => found.id);
    assert.deepEqual(failed, ['fail.test.mjs > cart > totals', 'fail.test.mjs > colours']);
    assert.match(text, /- fail\.test\.mjs > cart > totals\n {4}Expected values|1 == 2|strictly equal/);
    assert.ok(!text.includes('\u001b'));
  });

  test('A4: a swallowed exit code does not pass, an exit code beside passing tests does not either', async () => {
    const swallowed = await opened().run({ checkId: 'npm:test:swallowed' });
    assert.deepEqual([swallowed.report.exitCode, swallowed.report.outcome], [0, 'failed']);
    const liar = await opened().run({ checkId: 'npm:test:liar' });
    assert.deepEqual([liar.report.exitCode, liar.report.outcome, liar.report.failed], [3, 'failed', 0]);
  });

  test('A4: a script with its own reporter is run a second time for its tests', async () => {
    const { report, text } = await opened().run({ checkId: 'npm:test:own-reporter' });
    assert.deepEqual([report.outcome, report.passed, report.failed], ['failed', 1, 2]);
    assert.match(text, /The single tests come from a second run, of node --test fail\.test\.mjs\./);
  });

  test('T10: a test that never ends is timed out, named, and its tree is gone', async () => {
    const { report } = await opened().run({ checkId: 'npm:test:hang', timeoutMs: 5000 });
    assert.equal(report.outcome, 'timed-out');
    assert.deepEqual(
      report.tests.map((found) => `${found.status} ${found.name}`),
      ['passed quick', 'failed never ends'],
    );
    assert.ok(await eventually(async () => (await processesWith('hang.test.mjs')).length === 0));
  });

  test('T7: of 20 MB of output head and tail are shown, within 8 KiB', async () => {
    const { text, output } = await opened().run({ checkId: 'npm:test:flood' });
    assert.ok(Buffer.byteLength(text) <= 8192 && Buffer.byteLength(output.text) <= 8192);
    assert.match(output.text, /begin\n漢+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n漢+\nthe end\n$/);
    assert.ok(output.dropped > 20_000_000);
    const jobId = /read_job with jobId "(job-\d+)"/.exec(text)?.[1];
    const middle = await opened().call('read_job', { jobId, offset: 1_000_000 });
    assert.match(middle.text, /: npm:test:flood exited with code 0 [\s\S]*漢{1000}/);
  });

  test('T10: what a check leaves in the background dies with it, a daemon of another session too', async () => {
    for (const checkId of ['npm:test:left', 'npm:test:daemon']) {
      const { report, output } = await opened().run({ checkId, timeoutMs: 20_000 });
      assert.equal(report.outcome, 'passed', output.text);
      assert.ok(await gone(), checkId);
    }
  });

  test('G8: nothing of the host is seen, nothing outside of the workspace is written, no network', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    const address = await new Promise<ReturnType<typeof server.address>>((resolve) => {
      server.on('listening', () => resolve(server.address()));
    });
    await writeFile(join(opened().root, 'port'), String(typeof address === 'object' ? address?.port : 0));
    const { output } = await opened().run({ checkId: 'npm:test:probe' });
    server.close();
    const found = new Map(
      output.text
        .split('\n')
        .flatMap((line) => [/^(\w+): (.*)$/.exec(line)?.slice(1) as [string, string]])
        .filter(Boolean),
    );
    assert.doesNotMatch(output.text, /canary/);
    assert.equal(found.get('secret'), '""');
    for (const name of ['hook', 'config', 'outside'])
      assert.match(found.get(name) ?? '', /^(EROFS|EACCES|EPERM|ENOENT)$/, name);
    assert.match(found.get('accounts') ?? '', /^(ENOENT|EACCES)$/);
    assert.match(found.get('home') ?? '', /^(ENOENT|EACCES|0)$/);
    assert.match(found.get('network') ?? '', /^(ECONNREFUSED|ENETUNREACH)$/);
    assert.equal(found.get('source'), 'written');
    assert.equal(await readFile(join(opened().root, 'made.txt'), 'utf8'), 'x');
    const seen = Object.keys(JSON.parse(found.get('environment') ?? '{}'));
    assert.ok(seen.includes('PATH') && !seen.includes('API_TOKEN'));
  });

  test('T3: a report that was replaced by a link is not followed', async () => {
    const { report } = await opened().run({ checkId: 'npm:test:report-link' });
    assert.deepEqual([report.outcome, report.tests], ['passed', []]);
  });

  test('T9: a dry run says what would be run and runs nothing', async () => {
    const { plan, text, report } = await opened().run({ checkId: 'npm:test:pass', dryRun: true, timeoutMs: 5000 });
    assert.equal(report, undefined);
    assert.deepEqual(plan.argv, ['npm', 'run', 'test:pass']);
    assert.ok(plan.masked.includes('/workspace/.env'));
    assert.equal(plan.environment.CI, '1');
    assert.match(text, /^Would run: npm run test:pass\nin \/workspace, .*no network, at most 5 s/);
  });

  test('T4: an unknown check is answered with what to do, and no run gets more time than the server allows', async () => {
    const unknown = await opened().run({ checkId: 'npm:tset' });
    assert.deepEqual([unknown.failure?.level, unknown.failure?.code], ['param', 'unknown-check']);
    assert.match(unknown.text, /Use one of: "npm:test:pass"/);
    const long = await opened().run({ checkId: 'npm:test:pass', dryRun: true, timeoutMs: 10 ** 9 });
    assert.equal(long.plan.limits.milliseconds, 600_000);
  });

  test('T10: progress is sent, and a cancelled call takes its tree with it', async () => {
    const controller = new AbortController();
    let progress = 0;
    const options = { signal: controller.signal, onprogress: () => (progress += 1) };
    const call = opened()
      .run({ checkId: 'npm:test:wait' }, options)
      .catch((error: Error) => error);
    assert.ok(await eventually(async () => (await processesWith(marker)).length > 0), 'it runs');
    controller.abort();
    assert.ok((await call) instanceof Error);
    assert.ok(await gone());
    assert.ok(progress > 0);
    assert.ok(
      await eventually(async () => (await readdir(join(opened().root, '../state'))).join() === 'jobs'),
      'no report is left',
    );
  });

  test('T10: when the server is killed, the tree dies with it', async () => {
    const call = opened()
      .run({ checkId: 'npm:test:wait' })
      .catch((error: Error) => error);
    assert.ok(await eventually(async () => (await processesWith(marker)).length > 0), 'it runs');
    process.kill(opened().pid, 'SIGKILL');
    assert.ok((await call) instanceof Error);
    assert.ok(await gone());
  });
}
