import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from '@capstan/contracts';
import { fakeReader } from '../testing/fake-reader.ts';
import { detectCommands } from './detect-commands.ts';

async function found(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const commands = await detectCommands(fakeReader(files));
  for (const command of commands) Command.parse(command);
  assert.equal(new Set(commands.map(({ id }) => id)).size, commands.length, 'ids are unique');
  return Object.fromEntries(commands.map(({ id, argv }) => [id, argv.join(' ')]));
}

test('T10: scripts of a package.json are commands, checks among them, hooks and lifecycle scripts are not', async () => {
  const scripts = {
    test: 'node --test',
    build: 'tsc',
    'build:docs': 'typedoc',
    prebuild: 'rimraf dist',
    premium: 'node premium.js',
    postinstall: 'node-gyp',
    '-rf': 'x',
    生成: 'node gen.js',
  };
  assert.deepEqual(await found({ 'package.json': JSON.stringify({ scripts }) }), {
    'npm:test': 'npm test -- {arguments}',
    'npm:build': 'npm run build -- {arguments}',
    'npm:build:docs': 'npm run build:docs -- {arguments}',
    'npm:premium': 'npm run premium -- {arguments}',
    'npm:生成': 'npm run 生成 -- {arguments}',
    'node:file': 'node {file} {arguments}',
  });
  const pnpm = await found({ 'package.json': '{"scripts":{"dev":"vite"}}', 'pnpm-lock.yaml': '' });
  assert.equal(pnpm['pnpm:dev'], 'pnpm run dev {arguments}');
});

test('T10: phony targets of a Makefile are commands; without a word about that, those that are no files', async () => {
  const declared = 'SHELL := sh\n.PHONY: docs \\\n  clean\ndocs clean: lib.o\n\techo\nlib: x.c\n%.o: %.c\nX := 1\n';
  assert.deepEqual(await found({ Makefile: declared }), { 'make:docs': 'make docs', 'make:clean': 'make clean' });
  const bare = 'all: prog\n\techo\nprog.o: prog.c\nout/x: y\nfoo::\n\techo\n';
  assert.deepEqual(Object.keys(await found({ Makefile: bare })), ['make:all', 'make:foo']);
});

test('T10: tasks and programs of a pyproject.toml are commands', async () => {
  const text = `[project]\nname = "cart"\n[project.scripts]\ncart = "cart.cli:main" # the program\nodd = "a b:c; import os"\n
[tool.poe.tasks]\nserve = "flask run"\n[tool.poe.tasks.docs]\ncmd = "sphinx"\n[tool.pdm.scripts]\nlint = "ruff"\n`;
  const commands = await found({ 'pyproject.toml': text });
  assert.deepEqual(Object.keys(commands), ['poe:serve', 'poe:docs', 'pdm:lint', 'python:cart', 'python:file']);
  assert.match(
    commands['python:cart'] ?? '',
    /from cart\.cli import main as main; sys\.exit\(main\(\)\) \{arguments\}$/,
  );
  assert.equal(commands['pdm:lint'], 'pdm run lint {arguments}');
});

test('T10: cargo and go bring their commands, and those of packages name their folder', async () => {
  const commands = await found({
    'Cargo.toml': '[package]\n',
    'tools/go.mod': 'module tools\n',
    'packages/cart/package.json': '{"scripts":{"dev":"vite","test":"vitest"}}',
  });
  assert.equal(commands['cargo:run'], 'cargo run --bin={binary} -- {arguments}');
  assert.equal(commands['cargo:test'], 'cargo test {arguments}');
  assert.equal(commands['go:run@tools'], 'go run ./{folder} {arguments}');
  assert.equal(commands['npm:dev@packages/cart'], 'npm run dev -- {arguments}');
  assert.equal(commands['npm:test@packages/cart'], 'npm test -- {arguments}');
});

test('T10: manifests that are broken or hostile name no commands', async () => {
  assert.deepEqual(await found({ 'package.json': '{"scripts": 3', Makefile: '\u0000\u0000: x' }), {});
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, 'x']));
  assert.equal(Object.keys(await found({ 'package.json': JSON.stringify({ scripts: many }) })).length, 101);
});
