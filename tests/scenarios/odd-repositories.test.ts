import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sumRepository } from '../faults/sum-repository.ts';
import { filesScenario, folderDigest, type Scenario } from './support/checkouts.ts';
import { endingText, nothingLeft } from './support/ending.ts';
import { matchesGolden } from './support/golden.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { lastEvent, runCapstan } from './support/run-capstan.ts';

const task = 'make the failing tests pass';
const bug = sumRepository();
/** Marks a database as Capstan's. */
const applicationId = 0x43617073;
const fixed = 'export const sum = (a, b) => a + b;\n';

/** Repositories in a state that people leave them in: the bug in them is found and mended all the same. */
const repairable: Readonly<Record<string, { files?: Record<string, string>; prepare?: (scenario: Scenario) => void }>> =
  {
    'a binary file beside the code': {
      prepare: ({ write }) => write('logo.bin', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256))),
    },
    'a file of 200 MB beside the code': {
      prepare: ({ checkout }) => writeFileSync(join(checkout, 'video.raw'), Buffer.alloc(200 * 1024 * 1024, 'capstan')),
    },
    'no commit yet': {
      prepare: ({ checkout, git }) => {
        git('checkout', '-q', '--orphan', 'fresh');
        git('rm', '-q', '-r', '--cached', '.');
        assert.ok(existsSync(join(checkout, 'src', 'sum.mjs')));
      },
    },
    'a detached HEAD': { prepare: ({ git }) => git('checkout', '-q', '--detach') },
    'a rebase in progress': {
      prepare: (scenario) => {
        const { git, write } = scenario;
        const commit = (text: string, branch: string) => {
          write('notes.txt', text);
          git('add', 'notes.txt');
          git('commit', '-q', '-m', branch);
        };
        git('checkout', '-q', '-b', 'side');
        commit('side\n', 'side');
        git('checkout', '-q', 'main');
        commit('main\n', 'main');
        git('checkout', '-q', 'side');
        assert.throws(() => git('rebase', '-q', 'main'));
        assert.match(scenario.read('notes.txt'), /<{7}/);
      },
    },
    'a rename of which only the case differs': {
      files: { ...bug, 'Docs.md': 'documents\n' },
      prepare: ({ git }) => {
        git('mv', 'Docs.md', 'docs.md.tmp');
        git('mv', 'docs.md.tmp', 'docs.md');
      },
    },
    'names with spaces, line ends and Chinese': {
      prepare: ({ write }) => {
        write('a name/with spaces.txt', 'one\n');
        write('a\nname.txt', 'two\n');
        write('文件夹/说明 文档.md', '三\n');
        write('文件夹/测试.test.mjs', "import { test } from 'node:test';\ntest('中文测试', () => {});\n");
      },
    },
  };

for (const [name, { files = bug, prepare }] of Object.entries(repairable)) {
  test(`bad input: ${name}: the bug is mended and nothing else is touched`, needsSandbox, async (t) => {
    const scenario = filesScenario(t, files);
    prepare?.(scenario);
    const before = folderDigest(scenario.checkout);
    const finished = await runCapstan(['run', '--repo', scenario.checkout, '--json', task], { home: scenario.home });
    assert.equal(finished.exitCode, 0, finished.stdout.slice(-3000) + finished.stderr);
    assert.deepEqual(lastEvent(finished, 'diff-ready').files, ['src/sum.mjs']);
    assert.equal(folderDigest(scenario.checkout), before, 'the checkout is untouched');
    const session = String(lastEvent(finished, 'run-end').sessionId);
    const applied = await runCapstan(['apply', session], { home: scenario.home });
    assert.equal(applied.exitCode, 0, applied.stderr);
    assert.match(scenario.read('src/sum.mjs'), /a \+ b/);
    await nothingLeft(scenario);
  });
}

test(
  'bad input: a suite of 10,000 tests is run, compared test by test, and the bug in it is mended',
  needsSandbox,
  async (t) => {
    const many = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
for (let at = 0; at < 10_000; at += 1) test('adds ' + at, () => assert.equal(sum(at, 0), at));
test('adds two numbers', () => assert.equal(sum(2, 3), 5));
`;
    const scenario = filesScenario(t, { ...bug, 'test/sum.test.mjs': many });
    const finished = await runCapstan(['run', '--repo', scenario.checkout, '--json', task], { home: scenario.home });
    assert.equal(finished.exitCode, 0, finished.stdout.slice(-3000) + finished.stderr);
    const { verification } = lastEvent(finished, 'run-end') as unknown as {
      verification: { verdict: string; fixed: string[]; after: { passed: number }[] };
    };
    assert.equal(verification.verdict, 'verified');
    assert.deepEqual(verification.fixed, ['test/sum.test.mjs > adds two numbers']);
    assert.equal(verification.after[0]?.passed, 10_001);
    await nothingLeft(scenario);
  },
);

test(
  'bad input: a test that needs the network fails in the sandbox, and the person is told why',
  needsSandbox,
  async (t) => {
    const online = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
test('adds', async () => {
  const answer = await fetch('http://registry.example.com/numbers');
  assert.equal(sum(2, 3), await answer.json());
});
`;
    const scenario = filesScenario(t, { ...bug, 'src/sum.mjs': fixed, 'test/sum.test.mjs': online });
    const finished = await runCapstan(['run', '--repo', scenario.checkout, task], { home: scenario.home });
    assert.equal(finished.exitCode, 1, finished.stdout + finished.stderr);
    matchesGolden('needs-the-network', endingText(finished, scenario));
    await nothingLeft(scenario);
  },
);

test('bad input: a database of a later version is refused untouched, with what to do', async (t) => {
  const scenario = filesScenario(t, bug);
  const folder = join(scenario.home, 'state');
  mkdirSync(folder);
  const file = join(folder, 'capstan.db');
  const database = new DatabaseSync(file);
  database.exec(
    `CREATE TABLE sessions (session_id TEXT); PRAGMA application_id = ${applicationId}; PRAGMA user_version = 999`,
  );
  database.close();
  const before = folderDigest(file);
  const finished = await runCapstan(['run', '--repo', scenario.checkout, task], { home: scenario.home });
  assert.equal(finished.exitCode, 4, finished.stdout + finished.stderr);
  matchesGolden('future-database', endingText(finished, scenario).replace(/knows \d+/, 'knows <version>'));
  assert.equal(folderDigest(file), before);
});
