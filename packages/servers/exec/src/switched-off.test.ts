import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBench } from './testing/exec-client.ts';

test('A4: a check that the configuration switches off is told as such, and never run', async () => {
  const scripts = { test: 'node --test', build: 'node build.mjs' };
  const bench = await openBench({
    sandbox: 'none',
    files: { 'package.json': JSON.stringify({ scripts }) },
    arguments: () => ['--checks', '{"deny":["npm:test"]}'],
  });
  try {
    const listed = await bench.client.callTool({ name: 'list_checks', arguments: {} });
    const { checks, off } = listed.structuredContent as { checks: { id: string }[]; off: string[] };
    assert.deepEqual(
      checks.map(({ id }) => id),
      ['npm:build'],
    );
    assert.deepEqual(off, ['npm:test']);
    const { failure } = await bench.run({ checkId: 'npm:test' });
    assert.equal(failure?.code, 'check-off');
    // Without a sandbox nothing runs: the permitted one gets as far as that.
    assert.equal((await bench.run({ checkId: 'npm:build' })).failure?.code, 'no-sandbox');
  } finally {
    await bench.close();
  }
});
