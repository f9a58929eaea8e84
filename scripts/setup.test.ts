import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plantTree } from './checks/planted-tree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Stands for the command line: prints what it was given and what it finds in the repository. */
const capstan = `
import { execFileSync } from 'node:child_process';
const [, , ...args] = process.argv;
const repository = args[2];
const git = (...words) => execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8' }).trim();
console.log('SEEN ' + JSON.stringify({
  args,
  directory: process.cwd(),
  path: process.env.PATH,
  program: process.env.CAPSTAN_PROGRAM,
  home: process.env.CAPSTAN_HOME,
  git: args[0] === 'run' ? { log: git('log', '--format=%an %s'), status: git('status', '--porcelain') } : null,
}));
process.exitCode = 1;
`;

/** The PATH without what an npm around this test has put there. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((entry) => !entry.endsWith(join('node_modules', '.bin')) && basename(entry) !== 'node-gyp-bin')
  .join(delimiter);

interface Seen {
  readonly args: string[];
  readonly directory: string;
  readonly path: string;
  readonly program?: string;
  readonly home?: string;
  readonly git: { log: string; status: string } | null;
}

/** A clone in a path with a space, whose dependencies count as installed. */
function plantClone(context: TestContext): { clone: string; top: string } {
  const top = plantTree(context, {
    'a clone/package.json': { type: 'module' },
    'a clone/package-lock.json': { packages: {} },
    'a clone/node_modules/.package-lock.json': { packages: {} },
    'a clone/bin/capstan': capstan,
  });
  const clone = join(top, 'a clone');
  mkdirSync(join(clone, 'scripts'));
  for (const file of globSync('*.mjs', { cwd: join(root, 'scripts') })) {
    cpSync(join(root, 'scripts', file), join(clone, 'scripts', file));
  }
  cpSync(join(root, 'examples'), join(clone, 'examples'), { recursive: true });
  for (const folder of ['home', 'elsewhere', 'temporary']) mkdirSync(join(top, folder));
  return { clone, top };
}

function setup(
  { clone, top }: { clone: string; top: string },
  args: string[],
  environment: Record<string, string> = {},
) {
  const env = {
    PATH: [join(clone, 'node_modules', '.bin'), path].join(delimiter),
    HOME: join(top, 'home'),
    TMPDIR: join(top, 'temporary'),
    INIT_CWD: join(top, 'elsewhere'),
    ...environment,
  };
  const script = join(clone, 'scripts', 'setup.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: clone,
    env,
    encoding: 'utf8',
  });
  const line = stdout.split('\n').find((text) => text.startsWith('SEEN '));
  const seen: Seen | undefined = line === undefined ? undefined : JSON.parse(line.slice('SEEN '.length));
  return { status, stdout, stderr, seen };
}

test('X1: `npm start -- ...` is bin/capstan in the folder of the user', (context) => {
  const planted = plantClone(context);
  const { status, stdout, stderr, seen } = setup(planted, ['start', 'doctor', '--repo', 'a b']);
  assert.equal(stderr, '');
  assert.equal(status, 1);
  assert.match(stdout, /^SEEN .*\n$/);
  assert.deepEqual(seen?.args, ['doctor', '--repo', 'a b']);
  assert.equal(seen?.directory, join(planted.top, 'elsewhere'));
  assert.equal(seen?.path, path);
  assert.equal(seen?.program, undefined, 'npm start does nothing from there: hints name bin/capstan');
});

test('X1: what was started by `npm start --` in the clone is told so, for its hints', (context) => {
  const planted = plantClone(context);
  const { seen } = setup(planted, ['start', 'doctor'], { INIT_CWD: join(planted.clone, 'examples') });
  assert.equal(seen?.program, 'npm start --');
});

test('X1: `npm start` alone runs the job on a fresh copy of the example, under version control', (context) => {
  const planted = plantClone(context);
  const { status, stdout, stderr, seen } = setup(planted, ['start']);
  assert.equal(stderr, '');
  assert.equal(status, 1);
  const [command, flag, repository = '', task] = seen?.args ?? [];
  assert.deepEqual([command, flag, task], ['run', '--repo', 'make the failing tests pass']);
  assert.equal(basename(repository), 'room-book');
  assert.deepEqual(seen?.git, { log: 'Capstan The example as it is', status: '' });
  assert.equal(existsSync(join(repository, 'src', 'interval.js')), true);
  assert.match(stdout, /npm start -- run --repo PATH "make the failing tests pass"/);
  assert.equal(seen?.home, undefined);
});

test('X1: without a home the sessions of the example lie beside its copy', (context) => {
  const planted = plantClone(context);
  const { seen } = setup(planted, ['start'], { HOME: join(planted.clone, 'package.json') });
  assert.match(seen?.home ?? '', /capstan-demo-\w+\/state$/);
});

test("X1: the user's git settings, hooks and variables do not reach the copy", (context) => {
  const planted = plantClone(context);
  const settings = plantTree(context, { gitconfig: '[commit]\n  gpgsign = true\n[user]\n  name = Somebody\n' });
  const environment = {
    GIT_CONFIG_GLOBAL: join(settings, 'gitconfig'),
    GIT_DIR: '/nowhere',
    GIT_INDEX_FILE: '/nowhere',
  };
  const { stdout } = setup(planted, ['start'], environment);
  const [, repository = ''] = /throw-away copy of .*?: (.*)$/m.exec(stdout) ?? [];
  const log = ['-C', repository, 'log', '--format=%an %s'];
  const { stdout: found } = spawnSync('git', log, { env: { PATH: process.env.PATH }, encoding: 'utf8' });
  assert.equal(found, 'Capstan The example as it is\n');
});

test('an unknown command is wrong use', (context) => {
  const { status, stderr } = setup(plantClone(context), ['begin']);
  assert.equal(status, 2);
  assert.match(stderr, /usage: .*start\|test\|check/);
});
