import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { errorCodes } from '../packages/contracts/src/error.ts';
import { checkDocs } from './check-docs.ts';
import { plantTree } from './checks/planted-tree.ts';

const rows = Object.entries(errorCodes).map(([code, { exit }]) => `| \`${code}\` | ${exit} | what to do |`);
const table = (lines: readonly string[]): string => `| code | exit | text |\n|---|---|---|\n${lines.join('\n')}\n`;

const sound = {
  'package.json': { scripts: { start: 'x', test: 'x' } },
  'README.md': '# Sound\n\n## Two words, here!\n\nSee [docs](docs/README.md) and [above](#two-words-here).\n',
  'docs/README.md': '# Index\n\n[Help](troubleshooting.md), [top](../README.md#sound), [web](https://example.com)\n',
  'docs/troubleshooting.md': `# Help\n\n${table(rows)}`,
};

function problemsOf(context: TestContext, files: Readonly<Record<string, unknown>>): string[] {
  const all: Readonly<Record<string, unknown>> = { ...sound, ...files };
  return checkDocs(plantTree(context, all), Object.keys(all));
}

const shell = (command: string) => ({ 'notes.md': `\`\`\`sh\n${command}\n\`\`\`\n` });

test('sound documents have no problems', (context) => {
  assert.deepEqual(problemsOf(context, {}), []);
});

test('links and anchors that lead nowhere, or out of the repository, are found', (context) => {
  const text = '[a](gone.md) [b](../secret.md) [c](README.md#gone) ![d](gone.png)\n';
  assert.deepEqual(problemsOf(context, { 'notes.md': text }), [
    'notes.md: gone.md leads nowhere',
    'notes.md: ../secret.md leads out of the repository',
    'notes.md: README.md#gone: README.md has no heading #gone',
    'notes.md: gone.png leads nowhere',
  ]);
});

for (const command of [
  'npm start -- run --repo ../shop "make the failing tests pass"   # ends with a diff',
  'OPENAI_API_KEY=... bin/capstan run --model gpt-5 \\\n  "修复失败的测试"',
  'capstan diff SESSION | less',
  '$ capstan doctor --json > report.json && npm test -- packages/gateway',
  'npm ci --ignore-scripts',
  'capstan run --help',
  'git status --unknown',
]) {
  test(`a command that works has no problem: ${command}`, (context) => {
    assert.deepEqual(problemsOf(context, shell(command)), []);
  });
}

for (const [command, problem] of [
  ['capstan runn "x"', /notes\.md: `capstan runn x`: capstan has no command "runn"/],
  ['bin/capstan run --colour red "x"', /capstan run: Unknown option '--colour'/],
  ['cd a && capstan apply', /capstan apply: The session id is missing/],
  ['npm start -- diff a b', /capstan diff: One session id was expected, and 2 came/],
  ['npm run biuld', /npm has no script "biuld"/],
] as const) {
  test(`a command that does not exist as it is shown is found: ${command}`, (context) => {
    const problems = problemsOf(context, shell(command));
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', problem);
  });
}

test('a page that the index does not lead to is found', (context) => {
  const files = { 'docs/a.md': '[b](b.md)\n', 'docs/b.md': '[a](a.md)\n' };
  assert.deepEqual(problemsOf(context, files), [
    'docs/a.md: no way of links from docs/README.md leads here',
    'docs/b.md: no way of links from docs/README.md leads here',
  ]);
});

test('an error code without a row, with a wrong exit code, and one that is none are found', (context) => {
  const changed = rows.slice(1).map((row) => row.replace('| `denied` | 3', '| `denied` | 4'));
  const found = problemsOf(context, { 'docs/troubleshooting.md': table([...changed, '| `no-luck` | 1 | x |']) });
  assert.deepEqual(found, [
    'docs/troubleshooting.md: the error code usage needs a row with exit code 2',
    'docs/troubleshooting.md: the error code denied needs a row with exit code 3',
    'docs/troubleshooting.md: there is no error code no-luck',
  ]);
});
