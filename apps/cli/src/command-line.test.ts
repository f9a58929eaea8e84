import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '@capstan/contracts';
import { commandDescriptions } from './command-descriptions.ts';
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
  for (const { name: command } of commandDescriptions) {
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
    ['trace', 'session-1', 'page.html'],
    ['approve', '--deny'],
    ['approve', 'session-1', '7:0', '--all'],
    ['tools'],
    ['tools', 'lint', 'nobody'],
    ['tools', 'lint', '--config', '/nowhere/mcp.json'],
    ['tools', 'lint', 'fs-read', '--', 'node'],
    ['tools', 'lint', '--'],
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

test('X1: with --json a failure is one object on standard output, with the same exit code', async () => {
  for (const argv of [['audit', 'change'], ['diff'], ['frobnicate'], ['apply', '--frobnicate'], ['audit', 'verify']]) {
    const plain = await run(...argv);
    const json = await run(...argv, '--json');
    assert.equal(json.exitCode, plain.exitCode, argv.join(' '));
    assert.equal(json.error, '');
    const failure = Failure.parse(JSON.parse(json.out));
    assert.equal(plain.error.startsWith(`capstan: ${failure.message}\n`), true);
  }
});

test('X1: run --json answers wrong use with run-end as its only line', async () => {
  const { out, exitCode } = await run('run', '--json', 'two', 'tasks');
  assert.equal(exitCode, 2);
  const { type, failure } = JSON.parse(out);
  assert.deepEqual([type, failure.code], ['run-end', 'usage']);
});

test('what comes after -- is text: it asks for no help and no JSON', async () => {
  const { exitCode, out, error } = await run('diff', '--', '--json', '--help');
  assert.deepEqual([exitCode, out], [2, '']);
  assert.match(error, /One session id was expected, and 2 came/);
});
