import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Requirement } from '../tests/requirement.ts';
import { requirementIds } from '../tests/requirement-ids.ts';
import { requirements } from '../tests/requirements.ts';
import { checkRequirements } from './check-requirements.ts';
import { plantTree } from './checks/planted-tree.ts';

const testFile = `import { describe, test } from 'node:test';
test('T1: files are read', () => undefined);
describe('T2: writes', () => { test(\`atomic \${1}\`, () => undefined); });
`;

function problemsOf(context: TestContext, requirement: Requirement): string[] {
  const root = plantTree(context, { 'packages/a/src/a.test.ts': testFile, 'packages/a/src/b.test.ts': 'export {};' });
  return checkRequirements(root, { T1: requirement }, ['T1']);
}

test('the table of this repository is true', () => {
  assert.deepEqual(checkRequirements(fileURLToPath(new URL('..', import.meta.url))), []);
});

test('the list of ids has no id twice and matches the table', () => {
  assert.equal(new Set(requirementIds).size, requirementIds.length);
  assert.deepEqual(Object.keys(requirements).sort(), [...requirementIds].sort());
});

test('tests are found by file, by name and by the start of a template', (context) => {
  const file = 'packages/a/src/a.test.ts';
  const tests = [file, `${file}#T1: files`, `${file}#T2: writes`, `${file}#atomic `];
  assert.deepEqual(problemsOf(context, { status: 'done', tests }), []);
});

const wrong: Record<string, { requirement: Requirement; problem: string }> = {
  'done without tests': {
    requirement: { status: 'done', tests: [] },
    problem: 'T1: done, but no test is named',
  },
  'partly without a note': {
    requirement: { status: 'partly', tests: ['packages/a/src/a.test.ts'] },
    problem: 'T1: partly: a note has to say what is missing',
  },
  'a file that does not exist': {
    requirement: { status: 'done', tests: ['packages/a/src/gone.test.ts'] },
    problem: 'T1: packages/a/src/gone.test.ts does not exist',
  },
  'a file that is no test': {
    requirement: { status: 'done', tests: ['packages/a/src/a.ts'] },
    problem: 'T1: packages/a/src/a.ts is not a test file',
  },
  'a file without tests': {
    requirement: { status: 'done', tests: ['packages/a/src/b.test.ts'] },
    problem: 'T1: packages/a/src/b.test.ts holds no test',
  },
  'a test that does not exist': {
    requirement: { status: 'done', tests: ['packages/a/src/a.test.ts#T9'] },
    problem: 'T1: packages/a/src/a.test.ts holds no test whose name starts with "T9"',
  },
};

for (const [what, { requirement, problem }] of Object.entries(wrong)) {
  test(`${what} is found`, (context) => assert.deepEqual(problemsOf(context, requirement), [problem]));
}

test('unknown and missing ids are found', (context) => {
  const root = plantTree(context, {});
  const found = checkRequirements(root, { T9: { status: 'open', tests: [] } }, ['T1']);
  assert.deepEqual(found, ['T1: not in the table', 'T9: no such id']);
});
