import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkStages } from './check-stages.ts';

function plant(t: TestContext, source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-stages-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'planted.test.mjs');
  writeFileSync(file, `import assert from 'node:assert';\nimport { test } from 'node:test';\n${source}`);
  return file;
}

const without = 'process.env.CAPSTAN_TEST_WITHOUT_STAGE';

test('G1: a stage that no scenario needs is found', async (t) => {
  const file = plant(t, `test('one', () => assert.notEqual(${without}, 'needed')); test('two', () => {});`);
  const problems = await checkStages({ stages: ['needed', 'planted'], testFiles: [file] });
  assert.deepEqual(problems, ['Nothing fails without the stage planted.']);
});

test('G1: scenarios that fail anyway, or that do not run, show nothing', async (t) => {
  const failing = plant(t, `test('one', () => assert.fail());`);
  assert.equal((await checkStages({ stages: ['needed'], testFiles: [failing] })).length, 1);
  const crashing = plant(t, `if (${without}) process.exit(0);\ntest('one', () => {}); test('two', () => {});`);
  const problems = await checkStages({ stages: ['needed'], testFiles: [crashing] });
  assert.deepEqual(problems, ['Without needed not all scenarios ran.']);
});
