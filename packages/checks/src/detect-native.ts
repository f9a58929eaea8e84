import type { Check } from '@capstan/contracts';
import type { RepositoryReader } from './repository-reader.ts';

/** Checks of Python, Rust and Go repositories and of Makefiles. */
export async function detectNative(reader: RepositoryReader): Promise<Check[]> {
  const names = await reader.list('.');
  const checks: Check[] = [];
  const pytest = await pytestSource(reader, names);
  if (pytest !== undefined) {
    const argv = ['python3', '-m', 'pytest'];
    checks.push({
      id: 'pytest',
      kind: 'test',
      framework: 'pytest',
      argv,
      directArgv: argv,
      directory: '.',
      source: pytest,
    });
  }
  if (names.includes('Cargo.toml')) {
    const isWorkspace = /^\s*\[workspace[\].]/m.test((await reader.readText('Cargo.toml')) ?? '');
    const argv = ['cargo', 'test', ...(isWorkspace ? ['--workspace'] : [])];
    checks.push({
      id: 'cargo:test',
      kind: 'test',
      framework: 'cargo',
      argv,
      directArgv: argv,
      directory: '.',
      source: 'Cargo.toml',
    });
  }
  if (names.includes('go.mod')) {
    const argv = ['go', 'test', './...'];
    checks.push({
      id: 'go:test',
      kind: 'test',
      framework: 'go',
      argv,
      directArgv: argv,
      directory: '.',
      source: 'go.mod',
    });
  }
  return [...checks, ...(await makeChecks(reader, names))];
}

const CONFIGURED: readonly (readonly [string, RegExp])[] = [
  ['pyproject.toml', /^\s*\[tool\.pytest(\.ini_options)?\]/m],
  ['setup.cfg', /^\s*\[tool:pytest\]/m],
  ['tox.ini', /^\s*(\[pytest\]|commands\s*=.*pytest)/m],
];
const PYTEST_FILE = /^(test_.*|.*_test)\.py$/;

async function pytestSource(reader: RepositoryReader, names: readonly string[]): Promise<string | undefined> {
  const certain = ['pytest.ini', '.pytest.ini', 'conftest.py'].find((name) => names.includes(name));
  if (certain !== undefined) return certain;
  for (const [file, pattern] of CONFIGURED) {
    if (names.includes(file) && pattern.test((await reader.readText(file)) ?? '')) return file;
  }
  const here = names.find((name) => PYTEST_FILE.test(name));
  if (here !== undefined) return here;
  for (const folder of ['tests', 'test'].filter((name) => names.includes(`${name}/`))) {
    if (await hasPytestFile(reader, folder, 2)) return `${folder}/`;
  }
  return undefined;
}

async function hasPytestFile(reader: RepositoryReader, folder: string, depth: number): Promise<boolean> {
  const names = await reader.list(folder);
  if (names.some((name) => PYTEST_FILE.test(name) || name === 'conftest.py')) return true;
  for (const name of depth === 0 ? [] : names.filter((candidate) => candidate.endsWith('/'))) {
    if (await hasPytestFile(reader, `${folder}/${name.slice(0, -1)}`, depth - 1)) return true;
  }
  return false;
}

/** The Makefile target `test`, or `check` where there is no `test`. */
async function makeChecks(reader: RepositoryReader, names: readonly string[]): Promise<Check[]> {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => names.includes(name));
  const text = file === undefined ? undefined : await reader.readText(file);
  if (file === undefined || text === undefined) return [];
  const targets = ['test', 'check'].filter((target) => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(text));
  return targets.slice(0, 1).map((target) => ({
    id: `make:${target}`,
    kind: 'test',
    framework: 'make',
    argv: ['make', target],
    directory: '.',
    source: `${file} target ${target}`,
  }));
}
