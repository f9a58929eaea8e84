import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBench } from './testing/exec-client.ts';

test('T2: the prompt fix_tests names the checks of the repository, and completes their ids', async () => {
  const scripts = { test: 'node --test', build: 'node build.mjs' };
  const bench = await openBench({ sandbox: 'none', files: { 'package.json': JSON.stringify({ scripts }) } });
  try {
    const ref = { type: 'ref/prompt' as const, name: 'fix_tests' };
    const { completion } = await bench.client.complete({ ref, argument: { name: 'checkId', value: 'npm:' } });
    assert.deepEqual(completion.values, ['npm:test', 'npm:build']);
    const { messages } = await bench.client.getPrompt({ name: 'fix_tests', arguments: { checkId: 'npm:test' } });
    assert.match(JSON.stringify(messages), /Run the check \\"npm:test\\" with run_check.*- npm:build/);
  } finally {
    await bench.close();
  }
});
