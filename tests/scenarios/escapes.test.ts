import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { exampleScenario } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { processesNaming, untilNone } from './support/processes.ts';
import { installation, runCapstan } from './support/run-capstan.ts';

test(
  'T3 G8 F9: through the real processes every way out is stopped, and nothing is left running',
  needsSandbox,
  async (t) => {
    const scenario = exampleScenario(t);
    const canary = `CANARY-${crypto.randomUUID()}`;
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    t.after(() => listener.close());
    const { port } = listener.address() as AddressInfo;
    const outside = join(scenario.base, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.txt'), canary);
    symlinkSync(join(outside, 'secret.txt'), join(scenario.checkout, 'way-out.txt'));
    symlinkSync(outside, join(scenario.checkout, 'way-out-folder'));
    const model = await startScriptedModel({
      script: join(installation, 'tests', 'scenarios', 'scripts', 'try-escapes.mjs'),
      ledger: join(scenario.base, 'requests.jsonl'),
    });
    t.after(() => model.stop());
    const args = ['run', '--repo', scenario.checkout, '--model', 'scripted', '--json'];
    const finished = await runCapstan([...args, `make the failing tests pass; the service is on port ${port}`], {
      home: scenario.home,
      environment: { OPENAI_BASE_URL: model.url, DEPLOY_TOKEN: canary },
    });
    const shown = finished.stdout;
    assert.match(shown, /SEEN/, 'the escaping test did run');
    assert.equal((shown + finished.stderr).includes(canary), false, 'the secret was seen nowhere');
    assert.equal(connections, 0, 'nothing connected from the sandbox');
    assert.equal(existsSync(join(outside, 'planted.txt')), false);
    assert.equal(existsSync(join(scenario.checkout, '.git', 'hooks', 'post-checkout')), false);
    assert.deepEqual(
      await untilNone(() => processesNaming(`capstan-daemon-${port}`)),
      [],
      'the daemon died with its call',
    );
    assert.deepEqual(await untilNone(() => processesNaming(scenario.home)), [], 'no server is left');
    const failures = finished.events.filter((event) => event.type === 'tool-result' && isRefusal(event.outcome));
    assert.ok(
      failures.length >= 7,
      `all seven paths were refused: ${JSON.stringify(failures.map((event) => event.outcome))}`,
    );
  },
);

test('G11: audit verify finds a changed row, and passes an unchanged trail', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  await runCapstan(['run', '--repo', scenario.checkout, 'explain the code'], { home: scenario.home });
  await runCapstan(['run', '--repo', scenario.checkout, '--timeout', '0.1', 'make the failing tests pass'], {
    home: scenario.home,
  });
  const clean = await runCapstan(['audit', 'verify'], { home: scenario.home });
  assert.equal(clean.exitCode, 0, clean.stderr);
  assert.match(clean.stdout, /complete and unchanged: [1-9]/);
  const database = new DatabaseSync(join(scenario.home, 'state', 'capstan.db'));
  database.exec("UPDATE audit SET decision = 'denied' WHERE number = 2");
  database.close();
  const changed = await runCapstan(['audit', 'verify'], { home: scenario.home });
  assert.equal(changed.exitCode, 4, 'as the table of errors says for audit-broken');
  assert.match(changed.stderr, /broken at row 2.*\n {2}Keep a copy of the data folder/);
  const told = await runCapstan(['audit', 'verify', '--json'], { home: scenario.home });
  const { ok, number, code } = JSON.parse(told.stdout);
  assert.deepEqual([told.exitCode, ok, number, code], [4, false, 2, 'audit-broken']);
});

test('T3: files of the data folder are for their owner only', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  await runCapstan(['doctor'], { home: scenario.home });
  const { mode } = await import('node:fs').then((fs) => fs.statSync(join(scenario.home, 'state', 'capstan.db')));
  assert.equal(mode & 0o077, 0);
  assert.ok(readFileSync(join(scenario.home, 'state', 'audit.key')).length >= 32);
});

function isRefusal(outcome: unknown): boolean {
  const { kind, result } = outcome as { kind: string; result?: { isError: boolean } };
  return kind === 'denied' || kind === 'failed' || result?.isError === true;
}
