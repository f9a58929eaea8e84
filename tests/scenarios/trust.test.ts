import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { sumRepository } from '../faults/sum-repository.ts';
import { exampleScenario, filesScenario, folderDigest, type Scenario } from './support/checkouts.ts';
import { endingText } from './support/ending.ts';
import { matchesGolden } from './support/golden.ts';
import { inTerminal, needsTerminal } from './support/in-terminal.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { installation, lastEvent, runCapstan } from './support/run-capstan.ts';

const task = 'make the failing tests pass';
const userFile = ({ home }: Scenario) => join(home, '.config', 'capstan', 'config.yaml');

function writeUserFile(scenario: Scenario, text: string): void {
  mkdirSync(dirname(userFile(scenario)), { recursive: true });
  writeFileSync(userFile(scenario), text);
}

/** A model on this machine under an address that is not loopback by name: it counts as one elsewhere. */
async function modelElsewhere(t: TestContext, scenario: Scenario) {
  const model = await startScriptedModel({
    script: join(installation, 'tests', 'scenarios', 'scripts', 'fix-two-files.mjs'),
    ledger: join(scenario.base, 'requests.jsonl'),
  });
  t.after(() => model.stop());
  const url = model.url.replace('127.0.0.1', '0.0.0.0');
  writeUserFile(scenario, `model:\n  name: scripted\n  url: ${url}\n`);
  return { model, url };
}

test(
  'code goes to a configured model elsewhere only after a yes for the repository, which can be taken back',
  needsSandbox,
  async (t) => {
    const scenario = exampleScenario(t);
    const { model, url } = await modelElsewhere(t, scenario);
    const capstan = (...args: string[]) => runCapstan(args, { home: scenario.home });
    const refused = await capstan('run', '--repo', scenario.checkout, task);
    assert.equal(refused.exitCode, 3, refused.stdout + refused.stderr);
    matchesGolden('model-not-trusted', endingText(refused, scenario).replaceAll(url, '<url>'));
    assert.equal(model.requests().length, 0, 'nothing was sent');

    const agreed = await capstan('init', '--repo', scenario.checkout, '--trust-model', '--json');
    assert.deepEqual(JSON.parse(agreed.stdout).trust, { answer: 'yes', endpoint: url });
    const shown = JSON.parse((await capstan('config', '--repo', scenario.checkout, '--json')).stdout);
    assert.deepEqual([shown.trustedModel.endpoint, shown.trustedModel.by], [url, 'tester']);
    const run = await capstan('run', '--repo', scenario.checkout, task);
    assert.equal(run.exitCode, 0, run.stdout + run.stderr);
    const sent = model.requests().length;
    assert.ok(sent > 0);

    // A yes is for one repository and one address.
    const other = await capstan('run', '--repo', exampleScenario(t).checkout, task);
    assert.equal(other.exitCode, 3);
    const moved = await runCapstan(['run', '--repo', scenario.checkout, task], {
      home: scenario.home,
      environment: { OPENAI_BASE_URL: `${url}/elsewhere` },
    });
    assert.equal(moved.exitCode, 3);
    await capstan('init', '--repo', scenario.checkout, '--revoke-model');
    assert.equal((await capstan('run', '--repo', scenario.checkout, task)).exitCode, 3);
    assert.equal(model.requests().length, sent, 'nothing more was sent');
  },
);

test('--model is a yes for that run, --no-model sends nothing anywhere', needsSandbox, async (t) => {
  const scenario = exampleScenario(t);
  const { model } = await modelElsewhere(t, scenario);
  const capstan = (...args: string[]) => runCapstan(args, { home: scenario.home });
  const repair = await capstan('run', '--repo', scenario.checkout, '--no-model', task);
  assert.equal(repair.exitCode, 0, repair.stdout + repair.stderr);
  assert.equal(model.requests().length, 0);
  const named = await capstan('run', '--repo', scenario.checkout, '--model', 'scripted', task);
  assert.equal(named.exitCode, 0, named.stdout + named.stderr);
  assert.ok(model.requests().length > 0);
  assert.equal((await capstan('run', '--repo', scenario.checkout, task)).exitCode, 3, 'and for no other run');
  const both = await capstan('run', '--repo', scenario.checkout, '--model', 'x', '--no-model', task);
  assert.equal(both.exitCode, 2);
});

test('a run that was agreed to is not gone on with at another address elsewhere', async (t) => {
  const scenario = exampleScenario(t);
  const { model, url } = await modelElsewhere(t, scenario);
  const args = ['run', '--json', '--strict', '--repo', scenario.checkout, '--model', 'scripted', task];
  const waiting = await runCapstan(args, { home: scenario.home });
  const session = String(lastEvent(waiting, 'run-end').sessionId);
  const resumed = await runCapstan(['resume', '--json', session], {
    home: scenario.home,
    environment: { OPENAI_BASE_URL: `${url}/elsewhere` },
  });
  assert.equal(resumed.exitCode, 3);
  const { failure } = lastEvent(resumed, 'run-end') as unknown as { failure: { code: string; message: string } };
  assert.equal(failure.code, 'model-not-trusted');
  assert.equal(model.requests().length, 0);
});

test('a terminal is asked, a no sends nothing, a yes is remembered', needsTerminal, async (t) => {
  const scenario = exampleScenario(t);
  const { model } = await modelElsewhere(t, scenario);
  const no = inTerminal(t, scenario, ['run', '--repo', scenario.checkout, task]);
  await no.sees('Agree, for this repository from now on?');
  no.type('\r');
  assert.equal(await no.ends(), 3);
  assert.match(no.text(), /you said no/);
  assert.equal(model.requests().length, 0);
  const yes = inTerminal(t, scenario, ['run', '--repo', scenario.checkout, task]);
  await yes.sees('Agree, for this repository from now on?');
  yes.type('y\r');
  assert.equal(await yes.ends(), 0, yes.text());
  const again = inTerminal(t, scenario, ['run', '--repo', scenario.checkout, task]);
  assert.equal(await again.ends(), 0, again.text());
  assert.doesNotMatch(again.text(), /Agree/);
});

test('init --yes writes a file that changes nothing, and never overwrites one', async (t) => {
  const scenario = filesScenario(t, { ...sumRepository(), 'AGENTS.md': 'be kind\n' });
  const before = folderDigest(scenario.checkout);
  // With an address in the environment, no port of this machine is tried.
  const options = { home: scenario.home, environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } };
  const init = (...args: string[]) => runCapstan(['init', '--repo', scenario.checkout, ...args], options);
  const first = await init('--yes');
  assert.equal(first.exitCode, 0, first.stderr);
  assert.match(first.stdout, /^Written: .*config\.yaml/);
  assert.match(first.stdout, /can steer agents or run code.*\n {2}AGENTS\.md\n {2}package\.json\n/);
  const text = readFileSync(userFile(scenario), 'utf8');
  const config = await runCapstan(['config', '--json'], options);
  const { values } = JSON.parse(config.stdout) as { values: { key: string; origins: { kind: string }[] }[] };
  assert.deepEqual(
    values.filter(({ origins }) => origins.some(({ kind }) => kind === 'user')),
    [],
  );
  writeFileSync(userFile(scenario), `${text}approvals: strict\n`);
  const second = await init('--yes', '--json');
  assert.equal(JSON.parse(second.stdout).userFile.state, 'exists');
  assert.equal(readFileSync(userFile(scenario), 'utf8'), `${text}approvals: strict\n`);
  assert.equal(folderDigest(scenario.checkout), before, 'the checkout is untouched');
});

test('init without a terminal and without --yes says what to do, and writes nothing', async (t) => {
  const scenario = filesScenario(t, {});
  const finished = await runCapstan(['init'], { home: scenario.home });
  assert.equal(finished.exitCode, 2);
  assert.match(finished.stderr, /There is nobody to ask here\.\n {2}With the defaults: .*init --yes/);
  assert.equal(existsSync(userFile(scenario)), false);
});

test("init --project writes the project's file once, and not through a link out of the checkout", async (t) => {
  const scenario = filesScenario(t, sumRepository());
  const init = () => runCapstan(['init', '--repo', scenario.checkout, '--project', '--json'], { home: scenario.home });
  assert.equal(JSON.parse((await init()).stdout).projectFile.state, 'written');
  const text = scenario.read('.capstan/config.yaml');
  assert.match(text, /^# approvals: strict$/m);
  assert.equal((await runCapstan(['config', '--repo', scenario.checkout], { home: scenario.home })).exitCode, 0);
  assert.equal(JSON.parse((await init()).stdout).projectFile.state, 'exists');
  assert.equal(scenario.read('.capstan/config.yaml'), text);
  const other = filesScenario(t, {});
  mkdirSync(join(other.base, 'outside'));
  symlinkSync('../outside', join(other.checkout, '.capstan'));
  const refused = await runCapstan(['init', '--repo', other.checkout, '--project'], { home: other.home });
  assert.equal(refused.exitCode, 2, refused.stdout);
  assert.equal(existsSync(join(other.base, 'outside', 'config.yaml')), false);
});

test(
  'init in a terminal offers the models that answer on this machine, and writes the chosen one down',
  needsTerminal,
  async (t) => {
    const scenario = filesScenario(t, sumRepository());
    const server = createServer((request, response) => {
      assert.equal(request.url, '/v1/models');
      response.end(JSON.stringify({ data: [{ id: 'small-one' }, { id: 'large-one' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
    const run = inTerminal(t, scenario, ['init', '--repo', scenario.checkout], { OPENAI_BASE_URL: url });
    await run.sees('Number [1]:');
    assert.match(run.text(), /2 {2}small-one at http.*\r\n.*3 {2}large-one at http/);
    run.type('3\r');
    assert.equal(await run.ends(), 0, run.text());
    assert.match(run.text(), /Runs use the model large-one unless/);
    assert.match(run.text(), /The model at .* is on this machine/);
    assert.match(readFileSync(userFile(scenario), 'utf8'), /^ {2}name: large-one$/m);
  },
);
