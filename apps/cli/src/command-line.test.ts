import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommandLine } from './command-line.ts';
import { readSettings } from './settings.ts';

async function run(...argv: string[]) {
  const written = { out: '', error: '' };
  const terminal = {
    out: (text: string) => {
      written.out += text;
    },
    error: (text: string) => {
      written.error += text;
    },
    interactive: false,
    styled: false,
    ask: undefined,
  };
  const settings = readSettings({ CAPSTAN_HOME: '/dev/null/capstan' }, '/', process.execPath);
  const exitCode = await runCommandLine(argv, settings, { terminal, signal: new AbortController().signal });
  return { exitCode, ...written };
}

test('X1: help and version succeed, nothing at all is wrong use and shows the help', async () => {
  assert.equal((await run('--help')).exitCode, 0);
  assert.match((await run('--version')).out, /^\d+\.\d+\.\d+\n$/);
  const nothing = await run();
  assert.deepEqual([nothing.exitCode, nothing.out.startsWith('Capstan')], [2, true]);
});

test('X1: every command has a help page with an example or its options', async () => {
  for (const command of ['run', 'resume', 'diff', 'apply', 'doctor', 'audit']) {
    const page = await run(command, '--help');
    assert.equal(page.exitCode, 0);
    assert.match(page.out, new RegExp(`^capstan ${command}`));
  }
});

test('X1: unknown commands, names of object members and unknown options are wrong use with a hint', async () => {
  for (const argv of [
    ['constructor'],
    ['__proto__'],
    ['frobnicate'],
    ['run', '--frobnicate', 'x'],
    ['diff'],
    ['audit', 'change'],
  ]) {
    const { exitCode, error } = await run(...argv);
    assert.equal(exitCode, 2, argv.join(' '));
    assert.match(error, /^capstan: .+\n {2}.+/);
  }
});

test('a data folder that cannot be made is the environment, not a crash', async () => {
  const { exitCode, error } = await run('audit', 'verify');
  assert.equal(exitCode, 4);
  assert.doesNotMatch(error, /at .+:\d+:\d+/, 'no stack trace');
});
