/** A repository with one bug, whose tests leave a line in an ignored file each time they run: a ledger of real runs. */
export function sumRepository(testMilliseconds = 0): Record<string, string> {
  return {
    '.gitignore': 'runs.log\n',
    'package.json': `${JSON.stringify({ name: 'sum', type: 'module', scripts: { test: 'node --test' } })}\n`,
    'src/sum.mjs': 'export function sum(a, b) {\n  return a - b;\n}\n',
    'test/sum.test.mjs': `import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';

appendFileSync('runs.log', 'run\\n');
test('adds', async () => {
  await new Promise((resolve) => setTimeout(resolve, ${testMilliseconds}));
  assert.equal(sum(2, 3), 5);
});
test('adds nothing', () => assert.equal(sum(2, 0), 2));
`,
  };
}
