import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { filesScenario, folderDigest, type Scenario } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { type Finished, lastEvent, runCapstan } from './support/run-capstan.ts';

const nodeTest = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const manifest = (name: string, script?: string): string =>
  JSON.stringify({ name, type: 'module', exports: './index.js', ...(script ? { scripts: { test: script } } : {}) });

/** Three packages: a bug in one, whose tests are in another, which finds it through a link of node_modules. */
function shop(t: TestContext): Scenario {
  const scenario = filesScenario(t, {
    '.gitignore': 'node_modules\n',
    'package.json': JSON.stringify({ name: 'shop', private: true, workspaces: ['packages/*'] }),
    'packages/sum/package.json': manifest('@shop/sum'),
    'packages/sum/index.js': 'export const add = (a, b) => a - b;\n',
    'packages/app/package.json': manifest('@shop/app', 'node --test'),
    'packages/app/index.js': "import { add } from '@shop/sum';\nexport const total = (list) => list.reduce(add, 0);\n",
    'packages/app/test/app.test.js': `${nodeTest}import { total } from '@shop/app';
test('adds', () => assert.equal(total([2, 3]), 5));
test('nothing', () => assert.equal(total([]), 0));
`,
    'packages/names/package.json': manifest('@shop/names', 'node --test'),
    'packages/names/index.js': 'export const names = [];\n',
    'packages/names/names.test.js': `${nodeTest}import { names } from './index.js';
test('none', () => assert.deepEqual(names, []));
`,
  });
  mkdirSync(join(scenario.checkout, 'node_modules/@shop'), { recursive: true });
  for (const name of ['app', 'names', 'sum']) {
    symlinkSync(`../../packages/${name}`, join(scenario.checkout, 'node_modules/@shop', name));
  }
  return scenario;
}

function run(scenario: Scenario, folder: string, task = 'make the failing tests pass'): Promise<Finished> {
  return runCapstan(['run', '--repo', join(scenario.checkout, folder), '--json', task], { home: scenario.home });
}

function reportsOf(finished: Finished): { checkId: string; passed: number; failed: number }[] {
  const { verification } = lastEvent(finished, 'run-end') as unknown as {
    verification: { after: { checkId: string; passed: number; failed: number }[] };
  };
  return verification.after.map(({ checkId, passed, failed }) => ({ checkId, passed, failed }));
}

suite('A4 N1: a monorepo', needsSandbox, () => {
  test('A4 N1: a bug in one package, shown by the tests of another, is mended where it is', async (t) => {
    const scenario = shop(t);
    const before = folderDigest(scenario.checkout);
    const finished = await run(scenario, '.');
    assert.equal(finished.exitCode, 0, finished.stderr + finished.stdout.slice(-2000));
    assert.deepEqual(lastEvent(finished, 'run-end').files, ['packages/sum/index.js']);
    assert.match(String(lastEvent(finished, 'diff-ready').diff), /^-.* a - b;\n\+.* a \+ b;$/m);
    assert.deepEqual(reportsOf(finished), [
      { checkId: 'npm:test@packages/app', passed: 2, failed: 0 },
      { checkId: 'npm:test@packages/names', passed: 1, failed: 0 },
    ]);
    assert.equal(folderDigest(scenario.checkout), before);
  });

  test('A4: naming a package means its tests, and what is not run is told', async (t) => {
    const scenario = shop(t);
    const finished = await run(scenario, 'packages/app');
    assert.equal(finished.exitCode, 0, finished.stderr + finished.stdout.slice(-2000));
    assert.deepEqual(lastEvent(finished, 'checks-choose'), {
      ...lastEvent(finished, 'checks-choose'),
      chosen: ['npm:test@packages/app'],
      left: ['npm:test@packages/names'],
    });
    assert.deepEqual(reportsOf(finished), [{ checkId: 'npm:test@packages/app', passed: 2, failed: 0 }]);
    assert.deepEqual(lastEvent(finished, 'run-end').files, ['packages/sum/index.js']);
    const other = await run(scenario, 'packages/names');
    assert.match(
      String((lastEvent(other, 'run-end').verification as { reason: string }).reason),
      /Nothing fails: 1 test/,
    );
  });

  test('A4: a root script that runs all packages is run alone, and read test by test', async (t) => {
    const scenario = shop(t);
    const root = {
      name: 'shop',
      private: true,
      workspaces: ['packages/*'],
      scripts: { test: 'npm test --workspaces --if-present' },
    };
    scenario.write('package.json', JSON.stringify(root));
    const finished = await run(scenario, '.');
    assert.equal(finished.exitCode, 0, finished.stderr + finished.stdout.slice(-2000));
    assert.deepEqual(reportsOf(finished), [{ checkId: 'npm:test', passed: 3, failed: 0 }]);
    assert.deepEqual(lastEvent(finished, 'run-end').files, ['packages/sum/index.js']);
  });
});
