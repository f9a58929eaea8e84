import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { toolchainFor } from '@capstan/sandbox';
import { filesScenario, folderDigest, type Scenario } from './support/checkouts.ts';
import { needsOverlays } from './support/needs-sandbox.ts';
import { type Event, type Finished, lastEvent, runCapstan } from './support/run-capstan.ts';

const add = 'export const add = (a, b) => a - b;\n';
const testOf = (body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${body}`;
const manifest = (script: string): string =>
  JSON.stringify({ name: 'shop', type: 'module', scripts: { test: script } });

async function repair(scenario: Scenario): Promise<Finished> {
  const before = folderDigest(scenario.checkout);
  const finished = await runCapstan(['run', '--repo', scenario.checkout, '--json', 'make the failing tests pass'], {
    home: scenario.home,
  });
  assert.equal(folderDigest(scenario.checkout), before, 'the checkout is as it was, ignored folders included');
  return finished;
}

function solved(finished: Finished, file: string): void {
  const end = lastEvent(finished, 'run-end');
  assert.equal(finished.exitCode, 0, finished.stderr + JSON.stringify(end));
  assert.equal((end.verification as { verdict: string }).verdict, 'verified');
  assert.deepEqual(end.files, [file], 'nothing but the bug is in the diff');
}

const broughtIn = (finished: Finished): Event => lastEvent(finished, 'dependencies-ready');

suite('A6: what git ignores and tests need', needsOverlays, () => {
  test('A6: a suite that writes into node_modules/.cache', async (t) => {
    const scenario = filesScenario(t, {
      '.gitignore': 'node_modules/\n',
      'package.json': manifest('node --test'),
      'add.js': add,
      'add.test.js': testOf(`import { mkdirSync, writeFileSync } from 'node:fs';
import { add } from './add.js';
mkdirSync('node_modules/.cache/tool', { recursive: true });
writeFileSync('node_modules/.cache/tool/x', 'cached');
test('adds', () => assert.equal(add(2, 3), 5));
`),
    });
    scenario.write('node_modules/left-pad/index.js', 'module.exports = 1;\n');
    const finished = await repair(scenario);
    solved(finished, 'add.js');
    assert.deepEqual(broughtIn(finished).folders, [{ path: 'node_modules', way: 'overlay' }]);
  });

  test('A6: a suite that writes into a package of node_modules and reads it back', async (t) => {
    const scenario = filesScenario(t, {
      '.gitignore': 'node_modules/\n',
      'package.json': manifest('node --test'),
      'add.js': add,
      'add.test.js': testOf(`import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { add } from './add.js';
writeFileSync('node_modules/pkg/index.js', 'module.exports = "generated";\\n');
rmSync('node_modules/pkg/old.js', { force: true });
test('adds', () => assert.equal(add(2, 3), 5));
test('what was generated is there', async () => {
  assert.equal((await import('pkg')).default, 'generated');
  assert.equal(readFileSync('node_modules/pkg/index.js', 'utf8').includes('generated'), true);
});
`),
    });
    scenario.write('node_modules/pkg/package.json', '{ "name": "pkg", "main": "index.js" }\n');
    scenario.write('node_modules/pkg/index.js', 'module.exports = "as installed";\n');
    scenario.write('node_modules/pkg/old.js', '');
    solved(await repair(scenario), 'add.js');
    assert.match(scenario.read('node_modules/pkg/index.js'), /as installed/);
  });

  test('A6: a suite that builds into an ignored dist, and one that imports what was built before', async (t) => {
    const scenario = filesScenario(t, {
      '.gitignore': 'dist/\nlib/\n',
      'package.json': manifest('node build.js && node --test test/'),
      'build.js': `import { copyFileSync } from 'node:fs';\ncopyFileSync('src/text.js', 'dist/text.js');\n`,
      'src/text.js': 'export const shout = (text) => text.toUpperCase();\n',
      'src/add.js': add,
      'test/add.test.js': testOf(`import { add } from '../src/add.js';
import { shout } from '../dist/text.js';
import { version } from '../lib/version.js';
test('adds', () => assert.equal(add(2, 3), 5));
test('shouts', () => assert.equal(shout('a'), 'A'));
test('has a version', () => assert.equal(version, '1.2.3'));
`),
    });
    scenario.write('dist/text.js', 'export const shout = (text) => text;\n');
    scenario.write('lib/version.js', "export const version = '1.2.3';\n");
    const finished = await repair(scenario);
    solved(finished, 'src/add.js');
    assert.deepEqual(broughtIn(finished).folders, [
      { path: 'dist', way: 'copy' },
      { path: 'lib', way: 'copy' },
    ]);
    assert.match(scenario.read('dist/text.js'), /=> text;/, 'the stale build of the checkout is still there');
  });

  test('A6: npm workspaces: a link of node_modules leads to the package of the session, where the bug is mended', async (t) => {
    const scenario = filesScenario(t, {
      '.gitignore': 'node_modules\n',
      'package.json': JSON.stringify({
        name: 'shop',
        private: true,
        workspaces: ['packages/*'],
        scripts: { test: 'node --test packages/app/test/' },
      }),
      'packages/sum/package.json': '{ "name": "@shop/sum", "type": "module", "exports": "./src/index.js" }\n',
      'packages/sum/src/index.js': add,
      'packages/names/package.json': '{ "name": "@shop/names", "type": "module", "exports": "./index.js" }\n',
      'packages/names/index.js': 'export const names = [];\n',
      'packages/app/package.json': '{ "name": "@shop/app", "type": "module", "dependencies": { "@shop/sum": "*" } }\n',
      'packages/app/test/app.test.js': testOf(`import { names } from '@shop/names';
import { add } from '@shop/sum';
test('adds', () => assert.equal(add(2, 3), 5));
test('nothing to nothing', () => assert.equal(add(0, 0), names.length));
`),
    });
    mkdirSync(join(scenario.checkout, 'node_modules/@shop'), { recursive: true });
    for (const name of ['app', 'names', 'sum']) {
      symlinkSync(`../../packages/${name}`, join(scenario.checkout, 'node_modules/@shop', name));
    }
    const finished = await repair(scenario);
    solved(finished, 'packages/sum/src/index.js');
    assert.match(String(lastEvent(finished, 'diff-ready').diff), /-.*a - b;\n\+.*a \+ b;/);
    const [session = ''] = readdirSync(join(scenario.home, 'state/worktrees'));
    const left = readdirSync(join(scenario.home, 'state/worktrees', session));
    assert.deepEqual(
      left.filter((name) => name.startsWith('copy')),
      [],
    );
  });

  test('A6: a virtual environment of Python, with a package that is installed in place', async (t) => {
    const { missing } = await toolchainFor(['python3', 'pytest'], process.env.PATH ?? '');
    if (missing.length > 0) return t.skip(`needs ${missing.join(' and ')}: not found on the PATH`);
    const scenario = filesScenario(t, {
      '.gitignore': '.venv/\n*.egg-info/\n__pycache__/\n',
      'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
      'src/shop/__init__.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_shop.py': `import os, pathlib, shop, sys
site = pathlib.Path(shop.__file__)
def test_adds():
    assert shop.add(2, 3) == 5
def test_environment():
    assert sys.prefix == '/workspace/.venv' == os.environ['VIRTUAL_ENV']
def test_writes():
    (pathlib.Path(sys.prefix) / 'written').write_text('x')
`,
    });
    const site = execFileSync(
      'python3',
      [
        '-c',
        'import venv, sys, sysconfig; venv.create(sys.argv[1], system_site_packages=True, symlinks=True); print(sysconfig.get_path("purelib", vars={"base": sys.argv[1]}))',
        join(scenario.checkout, '.venv'),
      ],
      { cwd: scenario.checkout, encoding: 'utf8', env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' } },
    ).trim();
    writeFileSync(join(site, 'shop.pth'), `${join(scenario.checkout, 'src')}\n`);
    const finished = await repair(scenario);
    const reason = (lastEvent(finished, 'run-end').verification as { reason: string } | undefined)?.reason;
    assert.match(reason ?? finished.stdout.slice(-3000), /Nothing fails: 3 tests pass/);
  });

  test('A6: packages in a store of pnpm, and node_modules of a folder above, can be read', async (t) => {
    const scenario = filesScenario(t, {
      '.gitignore': 'node_modules\n',
      'package.json': manifest('node --test'),
      'a.test.js': testOf(`import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
test('linked', () => assert.equal(require('linked'), 'in the store'));
test('above', () => assert.equal(require('above'), 'above'));
test('neither leads further', () => assert.throws(() => require('elsewhere'), { code: 'MODULE_NOT_FOUND' }));
`),
    });
    const put = (path: string, text: string): void => {
      mkdirSync(join(scenario.base, path, '..'), { recursive: true });
      writeFileSync(join(scenario.base, path), text);
    };
    put('data/pnpm/store/v10/links/linked/index.js', 'module.exports = "in the store";\n');
    put('private/elsewhere/index.js', 'module.exports = "private";\n');
    put('package.json', '{}');
    put('node_modules/above/index.js', 'module.exports = "above";\n');
    mkdirSync(join(scenario.checkout, 'node_modules'));
    for (const [name, target] of [
      ['linked', 'data/pnpm/store/v10/links/linked'],
      ['elsewhere', 'private/elsewhere'],
    ] as const) {
      symlinkSync(join(scenario.base, target), join(scenario.checkout, 'node_modules', name));
    }
    const finished = await repair(scenario);
    const reason = (lastEvent(finished, 'run-end').verification as { reason: string } | undefined)?.reason;
    assert.match(reason ?? finished.stdout.slice(-3000), /Nothing fails: 3 tests pass/);
  });
});
