import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startScriptedModel } from '@capstan/models';
import { filesScenario } from './support/checkouts.ts';
import { matchesGolden } from './support/golden.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { recordingEndpoint, type WireBody, type WireMessage } from './support/recording-endpoint.ts';
import { installation, lastEvent, runCapstan } from './support/run-capstan.ts';

/** Requirement F3: tokens of the first request. No tokenizer is at hand: four bytes count as a token, which is on the high side. */
const mostTokens = 2_000;
const bytesOfToken = 4;

const files = {
  'package.json': JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'node --test' } }),
  'AGENTS.md': 'Use two spaces. 缩进用两个空格。\n',
  'src/sum.mjs': 'export const sum = (a, b) => a - b;\n',
  'test/sum.test.mjs': `import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
test('sum adds', () => {
  if (sum(2, 3) !== 5) throw new Error(\`expected 5, got \${sum(2, 3)}\`);
});
test('sum of nothing', () => {
  if (sum(0, 0) !== 0) throw new Error('expected 0');
});
`,
};

const languages = { english: 'Make the failing tests pass', chinese: '修复失败的测试' };

for (const [language, task] of Object.entries(languages)) {
  test(`A7: what a model is asked in ${language} is what the golden files say`, needsSandbox, async (t) => {
    const [first, afterResult, , afterFailure] = await requestsOf(t, task);
    assert.ok(first && afterResult && afterFailure, 'the run made its requests');
    matchesGolden(`requests/first-${language}`, whole(first));
    matchesGolden('requests/catalogue.json', `${JSON.stringify(first.tools, null, 2)}\n`);
    matchesGolden(`requests/after-tool-result-${language}`, added(afterResult, first));
    matchesGolden(`requests/after-failed-verification-${language}`, lastMessage(afterFailure));
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify([first.messages, first.tools])) / bytesOfToken);
    t.diagnostic(`F3: first request in ${language}: about ${tokens} tokens (bytes / 4), ${mostTokens} at most`);
    assert.ok(tokens <= mostTokens, `F3: the first request has about ${tokens} tokens (bytes / 4)`);
  });
}

/** The requests of one whole run on the files above. */
async function requestsOf(t: TestContext, task: string): Promise<WireBody[]> {
  const scenario = filesScenario(t, files);
  const model = await startScriptedModel({
    script: join(installation, 'tests', 'scenarios', 'scripts', 'fix-at-second-try.mjs'),
    ledger: join(scenario.base, 'requests.jsonl'),
  });
  t.after(() => model.stop());
  const endpoint = await recordingEndpoint(t, model.url);
  const finished = await runCapstan(['run', '--repo', scenario.checkout, '--model', 'scripted', '--json', task], {
    home: scenario.home,
    environment: { OPENAI_BASE_URL: endpoint.url },
  });
  assert.equal(finished.exitCode, 0, JSON.stringify(lastEvent(finished, 'run-end')) + finished.stderr);
  return endpoint.bodies;
}

/** A request as a person can read it; of the tools only the names, since they have a file of their own. */
function whole({ messages, tools, ...settings }: WireBody): string {
  const names = tools.map((tool) => tool.function.name).join(', ');
  return `${JSON.stringify(settings)}\ntools: ${names}\n${messages.map(readable).join('')}`;
}

/** What came to the request before; that one has to be its beginning, so that endpoints can cache it. */
function added(request: WireBody, before: WireBody): string {
  assert.deepEqual(request.messages.slice(0, before.messages.length), before.messages, 'F3: prompts are append-only');
  assert.deepEqual(request.tools, before.tools, 'the tools stay the same');
  return request.messages.slice(before.messages.length).map(readable).join('');
}

function lastMessage(request: WireBody): string {
  return request.messages.slice(-1).map(readable).join('');
}

function readable({ role, content, tool_calls: calls = [] }: WireMessage): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const asked = calls.map(({ function: { name, arguments: args } }) => `[call ${name} ${args}]\n`);
  return `\n=== ${role}\n${text === undefined || text === '' ? '' : `${text}\n`}${asked.join('')}`;
}
