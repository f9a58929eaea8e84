import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommandLine } from '../command-line.ts';
import { readSettings } from '../settings.ts';
import type { Finding } from './finding.ts';

async function doctor(t: TestContext, environment: NodeJS.ProcessEnv, ...args: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'capstan-doctor-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  let out = '';
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    error: () => assert.fail('a finding is no failure of doctor'),
    interactive: false,
    styled: false,
    ask: undefined,
  };
  const surroundings = {
    HOME: home,
    CAPSTAN_HOME: join(home, 'state'),
    CAPSTAN_PROGRAM: '/x/bin/capstan',
    ...environment,
  };
  const settings = readSettings(surroundings, '/x', process.execPath);
  const exitCode = await runCommandLine(['doctor', ...args], settings, {
    terminal,
    signal: new AbortController().signal,
  });
  return { exitCode, out };
}

test('X1: doctor names each part that does not work, and what to do, and ends with 4 when runs cannot work', async (t) => {
  const { exitCode, out } = await doctor(t, { PATH: '/nowhere' }, '--json');
  const { works, findings } = JSON.parse(out) as { works: boolean; findings: Finding[] };
  assert.deepEqual([exitCode, works], [4, false]);
  const git = findings.find(({ part }) => part === 'git');
  assert.deepEqual([git?.state, git?.hint], ['broken', 'Install git.']);
  assert.equal(findings.find(({ part }) => part === 'data folder')?.state, 'works');
});

test('X1: the hints of doctor name the program as it was called, and the lines are those of the document', async (t) => {
  const plain = await doctor(t, { PATH: '/nowhere' });
  assert.equal(plain.exitCode, 4);
  assert.match(plain.out, /^missing +model .*\n +.*bin\/capstan init/m);
  assert.doesNotMatch(plain.out, /(?<!\/)\bcapstan init/);
  assert.match(plain.out, /^broken +git /m);
});
