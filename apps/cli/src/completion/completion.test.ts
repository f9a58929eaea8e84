import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStorage } from '@capstan/storage';
import { commandDescriptions } from '../command-descriptions.ts';
import { bashScript } from './bash-script.ts';
import { completionPlan } from './completion-plan.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const plans = completionPlan(commandDescriptions);
const entry = fileURLToPath(new URL('../../../../bin/capstan', import.meta.url));

interface Shell {
  readonly home: string;
  /** What bash offers after these words; the last is the one under the cursor. */
  complete(...words: string[]): string[];
}

/** A folder with two sessions, and capstan on the PATH as a person would link it. */
async function plant(t: TestContext): Promise<Shell> {
  const base = mkdtempSync(join(tmpdir(), 'capstan-completion-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  symlinkSync(entry, join(base, 'capstan'));
  const home = join(base, 'state');
  let time = 1;
  const ids = { next: (prefix: string) => `${prefix}-${time}abc` };
  const storage = openStorage({ home, clock: { now: () => time }, ids, redact: (text) => text });
  for (; time <= 2; time += 1) await storage.createSession({ repository: '/r' });
  storage.close();
  const script = join(base, 'capstan.bash');
  writeFileSync(script, bashScript(plans));
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _capstan; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return {
    home,
    complete: (...words) => {
      const { status, stdout, stderr } = spawnSync(
        'bash',
        ['--norc', '-uc', program, 'bash', script, 'capstan', ...words],
        {
          cwd: base,
          encoding: 'utf8',
          env: { PATH: `${base}:${process.env.PATH ?? ''}`, HOME: base, CAPSTAN_HOME: home },
        },
      );
      assert.deepEqual([status, stderr], [0, '']);
      return stdout.split('\n').filter((line) => line !== '');
    },
  };
}

test('X1: bash completes commands, options, their values, choices and ids of sessions', async (t) => {
  const { complete } = await plant(t);
  assert.deepEqual(complete('app'), ['approve', 'apply']);
  assert.deepEqual(complete('apply', '--r'), ['--reviewed']);
  assert.deepEqual(complete('apply', ''), ['last', 'session-2abc', 'session-1abc']);
  assert.deepEqual(complete('apply', '--json', 'session-1'), ['session-1abc']);
  assert.deepEqual(complete('apply', 'last', ''), [], 'one session only');
  assert.deepEqual(complete('run', '--repo', 'sta'), ['state']);
  assert.deepEqual(complete('run', '--model', ''), [], 'nobody knows the names of models');
  assert.deepEqual(complete('completion', 'z'), ['zsh']);
  assert.deepEqual(complete('help', 'und'), ['undo']);
  assert.deepEqual(complete('frobnicate', ''), []);
});

test('X1: where there is no session nothing is offered, and nothing is made', async (t) => {
  const { complete, home } = await plant(t);
  rmSync(home, { recursive: true });
  assert.deepEqual(complete('diff', ''), []);
  assert.equal(existsSync(home), false);
});

test('X1: the scripts for zsh and fish name every command and every option that is shown', () => {
  const [zsh, fish] = [zshScript(plans), fishScript(plans)];
  for (const { name, options } of plans) {
    assert.match(zsh, new RegExp(`^ {4}${name}\\) _arguments`, 'm'));
    for (const { flag } of options) {
      assert.match(zsh, new RegExp(`^ {4}${name}\\) .*'${flag}\\[`, 'm'));
      assert.match(fish, new RegExp(`__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}\\b`));
    }
  }
  for (const script of [zsh, fish, bashScript(plans)]) assert.doesNotMatch(script, /--sessions(?! 2>)/, 'hidden');
});

for (const [shell, script] of [
  ['zsh', zshScript(plans)],
  ['fish', fishScript(plans)],
] as const) {
  const missing = spawnSync(shell, ['--version']).status !== 0;
  const options = missing ? { skip: `needs ${shell}: not installed` } : {};
  test(`X1: ${shell} reads its script`, options, () => {
    const { status, stderr } = spawnSync(shell, ['--no-execute', '/dev/stdin'], { input: script, encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });
}
