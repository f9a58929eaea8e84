import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { nameProgram } from './name-program.ts';
import { programName } from './program-name.ts';

function plant(t: TestContext): { base: string; clone: string; program: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-name-')));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const clone = join(base, 'clone');
  const program = join(clone, 'bin', 'capstan');
  mkdirSync(join(clone, 'bin'), { recursive: true });
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  return { base, clone, program };
}

test('X1: the program is named as the person can call it again from where they stand', (t) => {
  const { base, clone, program } = plant(t);
  const name = (calledAs: string | undefined, currentFolder: string, path = '/usr/bin') =>
    programName({ calledAs, currentFolder, path });
  assert.equal(name(program, clone), 'bin/capstan');
  assert.equal(name(program, join(clone, 'bin')), './capstan');
  assert.equal(name(program, base), 'clone/bin/capstan');
  assert.equal(name(program, '/'), program.slice(1));
  assert.equal(name(program, join(base, 'elsewhere')), program);
  assert.equal(name('npm start --', clone), 'npm start --');
  assert.equal(name(undefined, clone), 'capstan');
});

test('X1: on the PATH it is called by its name, unless another one comes first', (t) => {
  const { base, clone, program } = plant(t);
  const links = join(base, 'links');
  mkdirSync(links);
  symlinkSync(program, join(links, 'capstan'));
  const name = (calledAs: string, path: string) => programName({ calledAs, currentFolder: clone, path });
  assert.equal(name(join(links, 'capstan'), `/nowhere:${links}`), 'capstan');
  assert.equal(name(program, links), 'capstan');
  const others = join(base, 'others');
  mkdirSync(others);
  writeFileSync(join(others, 'capstan'), '');
  assert.equal(name(program, `${others}:${links}`), 'bin/capstan');
});

test('X1: a way with spaces and quotes is quoted for the shell', () => {
  const name = programName({ calledAs: "/a b/it's/capstan", currentFolder: '/c', path: '' });
  assert.equal(name, `'/a b/it'\\''s/capstan'`);
});

test('X1: commands in hints are named as the program was called, and other words stay', () => {
  assert.equal(nameProgram('Go on: capstan resume s', 'bin/capstan'), 'Go on: bin/capstan resume s');
  assert.equal(
    nameProgram('`capstan diff s`, then: capstan apply s', 'npm start --'),
    '`npm start -- diff s`, then: npm start -- apply s',
  );
  assert.equal(nameProgram('See capstan --help.', 'bin/capstan'), 'See bin/capstan --help.');
  for (const text of ['the later capstan that wrote it', 'capstan: no', 'capstan runs', '/home/capstan run']) {
    assert.equal(nameProgram(text, 'bin/capstan'), text);
  }
});
