import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { filesScenario } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { type Finished, installation, lastEvent, runCapstan } from './support/run-capstan.ts';

const files = {
  'package.json': JSON.stringify({ scripts: { greet: 'node greet.js' } }),
  'greet.js': 'console.log("hello", process.argv.slice(2));\n',
};

function outcomes({ events }: Finished): string[] {
  return events.filter(({ type }) => type === 'tool-result').map(({ outcome }) => JSON.stringify(outcome));
}

test(
  'T10 G3: an agent runs commands of the repository and of the person; a shell only where the person allows it, asked each time',
  needsSandbox,
  async (t) => {
    const scenario = filesScenario(t, files);
    const config = join(scenario.home, '.config', 'capstan', 'config.yaml');
    mkdirSync(dirname(config), { recursive: true });
    const model = await startScriptedModel({
      script: join(installation, 'tests', 'scenarios', 'scripts', 'use-commands.mjs'),
      ledger: join(scenario.base, 'requests.jsonl'),
    });
    t.after(() => model.stop());
    const run = (): Promise<Finished> =>
      runCapstan(['run', '--repo', scenario.checkout, '--model', 'scripted', '--json', 'look at the commands'], {
        home: scenario.home,
        environment: { OPENAI_BASE_URL: model.url },
      });

    writeFileSync(config, 'commands:\n  templates: ["count = node greet.js --rows={rows:1..9}"]\n  shell: ask\n');
    const asked = await run();
    const [listed = '', greeted = '', counted = ''] = outcomes(asked).slice(-3);
    assert.match(listed, /config:count.*npm:greet/s);
    assert.match(greeted, /hello \[ 'a b' \]/);
    assert.match(counted, /hello \[ '--rows=3' \]/);
    assert.equal(asked.exitCode, 3, asked.stderr);
    assert.match(JSON.stringify(lastEvent(asked, 'run-end')), /exec__shell/);

    scenario.write('.capstan/config.yaml', 'commands:\n  shell: "off"\n');
    assert.match(outcomes(await run()).at(-1) ?? '', /"kind":"denied"/, 'a project only tightens');
  },
);
