import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkFloors } from './check-floors.ts';
import { manifest, plantTree, rootManifest } from './checks/planted-tree.ts';

const clean = {
  'package.json': rootManifest,
  'packages/low/package.json': manifest('low', 0, ['zod']),
  'packages/low/src/index.ts': "import { z } from 'zod';\nexport const one = z.literal(1);\n",
  'packages/middle/package.json': manifest('middle', 2, ['@capstan/low']),
  'packages/middle/src/index.ts': "export { one } from '@capstan/low';\nimport './other.ts';\n",
  'packages/middle/src/other.ts': "import type { Stats } from 'node:fs';\nexport type Other = Stats;\n",
  'packages/middle/src/other.test.ts': "import fc from 'fast-check';\nfc.check;\n",
  'packages/servers/echo/package.json': manifest('server-echo', 3, ['@capstan/low']),
  'packages/servers/echo/src/main.ts': "import '@capstan/low';\n",
  'packages/agent/package.json': manifest('agent', 4, ['@langchain/langgraph']),
  'packages/agent/src/langgraph.ts': "export { StateGraph } from '@langchain/langgraph';\n",
  'apps/cli/package.json': manifest('cli', 8, ['@capstan/middle']),
  'apps/cli/src/main.ts': "const { one } = await import('@capstan/middle');\nconsole.log(one);\n",
};

function problemsWith(context: TestContext, planted: Record<string, unknown>): string[] {
  return checkFloors(plantTree(context, { ...clean, ...planted }));
}

test('a tree that keeps to the floors has no problems', (context) => {
  assert.deepEqual(problemsWith(context, {}), []);
});

test('an empty tree is a problem: a check that reads nothing must not pass', (context) => {
  assert.deepEqual(checkFloors(plantTree(context, { 'package.json': rootManifest })), ['no packages found']);
});

const upwards: Record<string, string> = {
  'a static import': "import { one } from '@capstan/middle';\none;",
  'an import of types': "import type { one } from '@capstan/middle';\nexport type One = typeof one;",
  'a re-export': "export { one } from '@capstan/middle';",
  'a re-export of all': "export * from '@capstan/middle';",
  'a dynamic import': "await import('@capstan/middle');",
  'a dynamic import by template': 'await import(`@capstan/middle`);',
  'a type by import': "export type One = typeof import('@capstan/middle').one;",
  'a require': "const require = (name: string) => name;\nrequire('@capstan/middle');",
};

for (const [form, text] of Object.entries(upwards)) {
  test(`an upward dependency by ${form} is found`, (context) => {
    const found = problemsWith(context, { 'packages/low/src/up.ts': text });
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', /^packages\/low\/src\/up\.ts:\d+: @capstan\/middle is on floor 2, .* below floor 0/);
  });
}

test('a declared upward dependency is found without any import', (context) => {
  const found = problemsWith(context, { 'packages/low/package.json': manifest('low', 0, ['zod', '@capstan/middle']) });
  assert.match(found.join('\n'), /^packages\/low\/package\.json: @capstan\/middle is on floor 2/);
});

test('packages of one floor do not import each other', (context) => {
  const found = problemsWith(context, {
    'packages/peer/package.json': manifest('peer', 2, ['@capstan/middle']),
    'packages/peer/src/index.ts': "import '@capstan/middle';\n",
  });
  assert.equal(found.length, 2, found.join('\n'));
});

const others: Record<string, { file: string; text: string; problem: RegExp }> = {
  'a server that is imported': {
    file: 'apps/cli/src/start.ts',
    text: "import '@capstan/server-echo';",
    problem: /is a server/,
  },
  'a package that is not declared': {
    file: 'apps/cli/src/start.ts',
    text: "import '@capstan/low';",
    problem: /@capstan\/low is not a dependency/,
  },
  'a third-party package that is not declared': {
    file: 'packages/middle/src/parse.ts',
    text: "import 'zod';",
    problem: /zod is not a dependency/,
  },
  'a development dependency outside of tests': {
    file: 'packages/middle/src/check.ts',
    text: "import 'fast-check';",
    problem: /fast-check is not a dependency/,
  },
  'a reach into a package': {
    file: 'packages/middle/src/reach.ts',
    text: "import '@capstan/low/src/index.ts';",
    problem: /reaches into a package/,
  },
  'a relative import across packages': {
    file: 'packages/middle/src/reach.ts',
    text: "import '../../low/src/index.ts';",
    problem: /leaves the package/,
  },
  'a package that does not exist': {
    file: 'packages/middle/src/reach.ts',
    text: "import '@capstan/nothing';",
    problem: /there is no package/,
  },
  'a computed import': {
    file: 'packages/middle/src/reach.ts',
    text: "await import('@capstan/' + 'low');",
    problem: /is computed/,
  },
  'a fake for tests in the product': {
    file: 'packages/middle/src/fake.ts',
    text: "import './testing/fake-clock.ts';",
    problem: /is for tests only/,
  },
  'LangGraph outside of its adapter': {
    file: 'packages/agent/src/graph.ts',
    text: "import { START } from '@langchain/langgraph/web';\nSTART;",
    problem: /only by packages\/agent\/src\/langgraph\.ts/,
  },
};

for (const [violation, { file, text, problem }] of Object.entries(others)) {
  test(`${violation} is found`, (context) => {
    const found = problemsWith(context, { [file]: text });
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', problem);
  });
}

test('tests may use any package of a lower floor, and none of a higher one', (context) => {
  const text = "import '@capstan/low';\nimport '@capstan/cli';\n";
  const found = problemsWith(context, { 'packages/agent/src/graph.test.ts': text });
  assert.equal(found.length, 1, found.join('\n'));
  assert.match(found[0] ?? '', /graph\.test\.ts:2: @capstan\/cli is on floor 8/);
});

test('a package without a floor is found', (context) => {
  const found = problemsWith(context, { 'packages/loose/package.json': manifest('loose', undefined) });
  assert.deepEqual(found, ['packages/loose/package.json: capstan.floor is missing']);
});
