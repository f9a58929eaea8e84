import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { exampleScenario, type Scenario } from './support/checkouts.ts';
import { eventShapes } from './support/event-shapes.ts';
import { matchesGolden } from './support/golden.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { type Finished, installation, lastEvent, runCapstan } from './support/run-capstan.ts';

// The streams of a repair and of a model that succeed are compared in fix-a-bug.test.ts and model-runs.test.ts.

const task = 'make the failing tests pass';

function run(scenario: Scenario, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const argv = ['run', '--repo', scenario.checkout, '--json', ...args, task];
  return runCapstan(argv, { home: scenario.home, environment });
}

/** Where a scripted model is, as the environment says it. */
async function modelOf(t: TestContext, scenario: Scenario, script: string): Promise<Record<string, string>> {
  const model = await startScriptedModel({
    script: join(installation, 'tests', 'scenarios', 'scripts', script),
    ledger: join(scenario.base, 'requests.jsonl'),
  });
  t.after(() => model.stop());
  return { OPENAI_BASE_URL: model.url };
}

/** A model endpoint that refuses the key: no retry cures that. */
async function refusingEndpoint(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'no such key' } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function ended(finished: Finished, exitCode: number): void {
  assert.equal(finished.exitCode, exitCode, `${finished.stderr}${finished.stdout.slice(-2000)}`);
}

test('G13: the events of a call that is denied are those of the golden file', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  const environment = await modelOf(t, scenario, 'call-what-is-not-declared.mjs');
  const finished = await run(scenario, ['--model', 'scripted'], environment);
  assert.equal(lastEvent(finished, 'tool-result').type, 'tool-result');
  matchesGolden('events/call-denied', eventShapes(finished.events));
});

test(
  'A12: the events of a question, and of the run after the answer, are those of the golden file',
  needsSandbox,
  async (t) => {
    const scenario = exampleScenario(t);
    const environment = await modelOf(t, scenario, 'fix-two-files.mjs');
    const waiting = await run(scenario, ['--strict', '--model', 'scripted'], environment);
    ended(waiting, 3);
    const session = String(lastEvent(waiting, 'run-end').sessionId);
    const { callId } = lastEvent(waiting, 'approval-request');
    const options = { home: scenario.home, environment };
    ended(await runCapstan(['approve', session, String(callId)], options), 0);
    const resumed = await runCapstan(['resume', '--json', session], options);
    const last = lastEvent(resumed, 'run-end');
    matchesGolden('events/question', eventShapes(waiting.events));
    const isNew = (event: (typeof resumed.events)[number]) => Number(event.number) > waiting.events.length;
    matchesGolden('events/question-answered', eventShapes(resumed.events.filter(isNew)));
    assert.ok(['done', 'waiting'].includes(String(last.status)), JSON.stringify(last));
  },
);

test('A8: the events of a run whose model fails are those of the golden file', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  const finished = await run(scenario, ['--model', 'scripted'], { OPENAI_BASE_URL: await refusingEndpoint(t) });
  ended(finished, 4);
  matchesGolden('events/model-failed', eventShapes(finished.events));
});
