import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConfigReference } from './check-config-reference.ts';
import { plantTree } from './checks/planted-tree.ts';
import { configReference, referencePath } from './config-reference.ts';

test('the page that the schema makes has no problems; one that says something else is stale; none is missing', (context) => {
  const problems = (files: Record<string, string>) => checkConfigReference(plantTree(context, files));
  assert.deepEqual(problems({ [referencePath]: configReference() }), []);
  const [stale] = problems({ [referencePath]: configReference().replace('`30`', '`31`') });
  assert.match(stale ?? '', /configuration\.md is stale: node scripts\/write-config-reference\.ts$/);
  assert.match(problems({})[0] ?? '', /is missing/);
});

test('every key stands on the page with its default, its variable and what a project can do', () => {
  const page = configReference();
  for (const text of ['### `budget.minutes`', '- default: `30`', '`CAPSTAN_MODEL_URL`, else `OPENAI_BASE_URL`']) {
    assert.ok(page.includes(text), text);
  }
  assert.match(page, /### `model\.url`[^#]*- in a project: refused, because it decides where code and keys are sent\n/);
});
