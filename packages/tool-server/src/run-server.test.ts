import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { type HttpChoice, helpText, type ProgramOptions, readCommandLine } from './command-line.ts';
import { readToken } from './read-token.ts';
import { probe } from './testing/http-server.ts';

const options = {
  root: { value: 'FOLDER', required: true, description: 'The root' },
  bind: { value: 'JSON', multiple: true, description: 'A bind' },
  quiet: { description: 'Say nothing' },
} as const satisfies ProgramOptions;
const read = (...argv: string[]) => readCommandLine('x', options, argv);

test('T1: a command line gives the own options of a server and how it is reached', () => {
  const line = read('--root', '/a', '--bind', '[1]', '--bind=--x', '--quiet', '--http', '[::1]:80', '--no-token');
  assert.ok(line.kind === 'serve');
  assert.deepEqual(line.values, { root: '/a', bind: ['[1]', '--x'], quiet: true });
  assert.deepEqual(line.argv, ['--root=/a', '--bind=[1]', '--bind=--x', '--quiet']);
  assert.deepEqual(line.transport, {
    kind: 'http',
    host: '::1',
    port: 80,
    tokenFile: undefined,
    noToken: true,
    allowedHosts: [],
    atOnce: 64,
  });
  const plain = read('--root=/a');
  assert.ok(plain.kind === 'serve');
  assert.deepEqual([plain.transport, plain.values], [{ kind: 'stdio' }, { root: '/a', bind: [], quiet: false }]);
});

test('T4: what is wrong with a command line is said in one sentence with what to do', () => {
  const wrong: [string[], RegExp][] = [
    [[], /^x: --root is missing\.$/],
    [['--root', ''], /--root is missing/],
    [['--root', '/a', '--rot'], /Unknown option '--rot'\.$/],
    [['--root', '/a', 'word'], /Unexpected argument 'word'/],
    [['--root', '/a', '--no-token'], /--no-token needs --http/],
    [['--root', '/a', '--http', 'x'], /--http is "x"/],
    [['--root', '/a', '--http', '1.2.3.4:99999'], /--http is/],
    [['--root', '/a', '--http', '80', '--at-once', '0'], /--at-once/],
  ];
  for (const [argv, said] of wrong) {
    assert.throws(
      () => read(...argv),
      (error: Error & { code: string }) => error.code === 'usage' && said.test(error.message),
    );
  }
});

test('T4: no command line gives anything but a choice or a usage error', () => {
  const word = fc.oneof(
    fc.constantFrom('--root', '--http', '80', '--at-once', '--', '-x', '--help', '--quiet'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      try {
        assert.ok(['help', 'version', 'serve'].includes(read(...argv).kind));
      } catch (error) {
        assert.equal((error as { code: string }).code, 'usage');
        assert.doesNotMatch((error as Error).message, /\n\s+at /);
      }
    }),
  );
});

test('T1: the help names the own options and those of every server', () => {
  const help = helpText('x', 'does things', options);
  for (const name of [
    '--root FOLDER',
    '--bind JSON',
    '--quiet',
    '--http HOST:PORT',
    '--token-file FILE',
    '--version',
  ]) {
    assert.ok(help.includes(`  ${name} `), name);
  }
});

test('T1: without a safe way in, HTTP is not served', async () => {
  const choice = { kind: 'http', host: '127.0.0.1', port: 0, noToken: false, allowedHosts: [], atOnce: 1 } as const;
  const cases: [Partial<HttpChoice>, string | undefined, RegExp][] = [
    [{}, undefined, /needs a bearer token/],
    [{ host: '0.0.0.0', noToken: true }, undefined, /--no-token would let everybody in who reaches 0\.0\.0\.0/],
    [{ host: '::', noToken: true }, undefined, /--no-token would let everybody in/],
    [{ host: '127.evil.example', noToken: true }, undefined, /--no-token would let everybody in/],
    [{}, 'short', /at least 16 visible/],
    [{}, 'x'.repeat(20).concat(' y'), /visible ASCII/],
    [{ noToken: true }, 'x'.repeat(32), /a token is given, and --no-token too/],
    [{ tokenFile: '/nothing/here' }, undefined, /--token-file cannot be read: ENOENT/],
    [{ tokenFile: probe }, undefined, /visible ASCII/],
  ];
  for (const [given, token, said] of cases) {
    await assert.rejects(readToken('x', { tokenFile: undefined, ...choice, ...given }, token), said);
  }
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1']) {
    assert.equal(await readToken('x', { tokenFile: undefined, ...choice, host, noToken: true }, undefined), undefined);
  }
  assert.equal(await readToken('x', { tokenFile: undefined, ...choice }, ` ${'x'.repeat(32)}\n`), 'x'.repeat(32));
});

test('T4: a process that cannot be started says why in one line and ends with 2; help and version are printed', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [probe, ...args], { env: {}, encoding: 'utf8', input: '' });
  const { status, stdout, stderr } = run('--wrong');
  assert.deepEqual([status, stdout, stderr], [2, '', "probe: Unknown option '--wrong'. Hint: See --help.\n"]);
  assert.equal(run('--version').stdout, 'probe 1.0.0\n');
  assert.match(run('--help').stdout, /^probe: only for tests\n/);
});
