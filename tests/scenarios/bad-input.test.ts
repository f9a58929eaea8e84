import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sumRepository } from '../faults/sum-repository.ts';
import { filesScenario, folderDigest, type Scenario } from './support/checkouts.ts';
import { endingText, nothingLeft } from './support/ending.ts';
import { matchesGolden } from './support/golden.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { type Finished, lastEvent, type RunOptions, runCapstan } from './support/run-capstan.ts';

const task = 'make the failing tests pass';

interface Case {
  readonly name: string;
  readonly files?: Record<string, string>;
  readonly prepare?: (scenario: Scenario) => void;
  readonly args?: (scenario: Scenario) => string[];
  readonly exitCode: number;
  /** Code of a repository runs in it, so a sandbox is needed. */
  readonly runs?: boolean;
}

const bug = sumRepository();

const cases: readonly Case[] = [
  { name: 'no-repository', args: ({ base }) => ['run', '--repo', join(base, 'nowhere'), task], exitCode: 2 },
  {
    name: 'not-a-git-folder',
    prepare: ({ checkout }) => rmSync(join(checkout, '.git'), { recursive: true }),
    exitCode: 0,
    runs: true,
  },
  {
    name: 'empty-folder',
    prepare: ({ base }) => mkdirSync(join(base, 'plain')),
    args: ({ base }) => ['run', '--repo', join(base, 'plain'), task],
    exitCode: 2,
  },
  {
    name: 'home-folder',
    args: ({ home }) => ['run', '--repo', home, task],
    exitCode: 2,
  },
  {
    name: 'bare-repository',
    prepare: ({ base, git }) => git('clone', '-q', '--bare', '.', join(base, 'bare.git')),
    args: ({ base }) => ['run', '--repo', join(base, 'bare.git'), task],
    exitCode: 2,
  },
  {
    name: 'a-file-for-a-folder',
    args: ({ checkout }) => ['run', '--repo', join(checkout, 'package.json'), task],
    exitCode: 2,
  },
  { name: 'empty-task', args: ({ checkout }) => ['run', '--repo', checkout, ' \n '], exitCode: 2 },
  { name: 'no-task', args: ({ checkout }) => ['run', '--repo', checkout], exitCode: 2 },
  { name: 'two-tasks', args: ({ checkout }) => ['run', '--repo', checkout, 'fix', 'it'], exitCode: 2 },
  { name: 'unknown-option', args: () => ['run', '--frobnicate', task], exitCode: 2 },
  { name: 'unknown-command', args: () => ['frobnicate'], exitCode: 2 },
  { name: 'unknown-session', args: () => ['resume', 'session-0'], exitCode: 2 },
  { name: 'hostile-session', args: () => ['diff', '../../etc/passwd'], exitCode: 2 },
  { name: 'bad-timeout', args: ({ checkout }) => ['run', '--repo', checkout, '--timeout', 'soon', task], exitCode: 2 },
  {
    name: 'model-not-configured',
    args: ({ checkout }) => ['run', '--repo', checkout, '--model', 'gpt', task],
    exitCode: 4,
  },
  {
    name: 'no-tests-found',
    files: { 'readme.txt': 'no tests here\n' },
    exitCode: 1,
    runs: true,
  },
  {
    name: 'tests-that-never-end',
    files: { ...bug, 'test/sum.test.mjs': "import { test } from 'node:test';\ntest('waits', () => { for (;;); });\n" },
    args: ({ checkout }) => ['run', '--repo', checkout, '--timeout', '1', task],
    exitCode: 1,
    runs: true,
  },
  {
    name: 'unstable-suite',
    files: {
      ...bug,
      'src/sum.mjs': 'export const sum = (a, b) => a + b;\n',
      'test/sum.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
const unlucky = Math.floor(Math.random() * 200);
for (let at = 0; at < 200; at += 1) test('adds ' + at, () => assert.equal(sum(at, 0), at === unlucky ? -1 : at));
`,
    },
    exitCode: 1,
    runs: true,
  },
  {
    name: 'nothing-fails',
    files: { ...bug, 'src/sum.mjs': 'export const sum = (a, b) => a + b;\n' },
    exitCode: 0,
    runs: true,
  },
  {
    name: 'another-task-without-a-model',
    files: { ...bug, 'src/sum.mjs': 'export const sum = (a, b) => a + b;\n' },
    args: ({ checkout }) => ['run', '--repo', checkout, 'add a function that multiplies'],
    exitCode: 4,
    runs: true,
  },
  {
    name: 'dirty-checkout',
    prepare: (scenario) => {
      scenario.write('src/sum.mjs', 'export function sum(a, b) {\n  return a * b;\n}\n');
      scenario.write('src/untracked 文件.txt', 'mine\n');
      scenario.git('add', 'src/sum.mjs');
    },
    exitCode: 0,
    runs: true,
  },
  {
    name: 'chinese-task',
    args: ({ checkout }) => ['run', '--repo', checkout, '修复失败的测试'],
    exitCode: 0,
    runs: true,
  },
];

for (const row of cases) {
  test(`bad input: ${row.name}`, row.runs ? needsSandbox : {}, async (t) => {
    const scenario = filesScenario(t, row.files ?? bug);
    row.prepare?.(scenario);
    const before = folderDigest(scenario.checkout);
    const args = row.args?.(scenario) ?? ['run', '--repo', scenario.checkout, task];
    const finished = await runCapstan(args, { home: scenario.home });
    assert.equal(finished.exitCode, row.exitCode, finished.stdout + finished.stderr);
    matchesGolden(row.name, endingText(finished, scenario));
    assert.equal(folderDigest(scenario.checkout), before, 'the checkout is untouched');
    await nothingLeft(scenario);
  });
}

test(
  'bad input: a read-only checkout can be worked on, and is said to be read-only at apply',
  needsSandbox,
  async (t) => {
    const scenario = filesScenario(t, bug);
    const readOnly = readOnlyRun(scenario);
    const before = folderDigest(scenario.checkout);
    const finished = await readOnly(['run', '--repo', scenario.checkout, '--apply', task]);
    assert.equal(finished.exitCode, 4, finished.stdout + finished.stderr);
    matchesGolden('read-only-checkout', endingText(finished, scenario));
    assert.equal(folderDigest(scenario.checkout), before);
    await nothingLeft(scenario);
  },
);

test('bad input: two runs on one checkout at once both end with the same diff', needsSandbox, async (t) => {
  const scenario = filesScenario(t, bug);
  const before = folderDigest(scenario.checkout);
  const run = () => runCapstan(['run', '--repo', scenario.checkout, '--json', task], { home: scenario.home });
  const [first, second] = await Promise.all([run(), run()]);
  assert.deepEqual([first.exitCode, second.exitCode], [0, 0], first.stderr + second.stderr);
  assert.equal(lastEvent(first, 'diff-ready').diff, lastEvent(second, 'diff-ready').diff);
  assert.notEqual(lastEvent(first, 'run-end').sessionId, lastEvent(second, 'run-end').sessionId);
  assert.equal(folderDigest(scenario.checkout), before);
  await nothingLeft(scenario);
});

test(
  'bad input: a checkout that moved on before apply is merged or refused, never overwritten',
  needsSandbox,
  async (t) => {
    const scenario = filesScenario(t, bug);
    const finished = await runCapstan(['run', '--repo', scenario.checkout, '--json', task], { home: scenario.home });
    const session = String(lastEvent(finished, 'run-end').sessionId);
    const mine = scenario.read('src/sum.mjs').replace('return a - b', 'return Number(a) - b');
    scenario.write('src/sum.mjs', mine);
    const before = folderDigest(scenario.checkout);
    const refused = await runCapstan(['apply', session], { home: scenario.home });
    assert.equal(refused.exitCode, 3, refused.stdout + refused.stderr);
    matchesGolden('moved-on', endingText(refused, scenario));
    assert.equal(folderDigest(scenario.checkout), before);
    scenario.git('checkout', '-q', 'src/sum.mjs');
    scenario.write('src/other.mjs', 'export const mine = 1;\n');
    const applied = await runCapstan(['apply', session], { home: scenario.home });
    assert.equal(applied.exitCode, 0, applied.stderr);
    assert.match(scenario.read('src/sum.mjs'), /a \+ b/);
    assert.equal(scenario.read('src/other.mjs'), 'export const mine = 1;\n');
  },
);

/** Runs with the checkout read-only: by a mount of its own for root, whom permissions do not stop. */
function readOnlyRun(scenario: Scenario): (args: string[], options?: Partial<RunOptions>) => Promise<Finished> {
  if (process.getuid?.() !== 0) {
    chmodSync(scenario.checkout, 0o555);
    return (args) => runCapstan(args, { home: scenario.home });
  }
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
  const launcher = ['unshare', '--mount', 'sh', '-c', script, 'sh', scenario.checkout];
  return (args) => runCapstan(args, { home: scenario.home, launcher });
}
