// node bench/quixbugs.ts FOLDER [--rename] [--out DIR] [--only a,b] [--through-cli]
// Repairs each program of a QuixBugs folder (NAME/src, NAME/test, NAME/package.json) on a copy and leaves what it made of
// it in DIR, for a scorer. Only these three are copied: correct versions beside them are never within reach.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { applyEdits } from '@capstan/repair';
import { declaredNames, renameIdentifiers, renameImports } from './rename-identifiers.ts';
import { repairOnce } from './repair-once.ts';

interface Row {
  readonly name: string;
  readonly outcome: string;
  readonly tried: number;
  readonly plausible: number;
  readonly groups: number;
  readonly operator: string;
  readonly firstCpuMs: number | undefined;
  readonly wallMs: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rename: { type: 'boolean', default: false },
    'through-cli': { type: 'boolean', default: false },
    out: { type: 'string' },
    only: { type: 'string' },
  },
});
const folder = positionals[0];
if (folder === undefined) {
  process.stderr.write('usage: node bench/quixbugs.ts FOLDER [--rename] [--out DIR] [--only a,b] [--through-cli]\n');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'capstan-quixbugs-'));
const out = resolve(values.out ?? join(scratch, 'out'));
const only = values.only?.split(',');
const names = readdirSync(folder).filter((name) => {
  return (
    existsSync(join(folder, name, 'src')) && existsSync(join(folder, name, 'test')) && (only?.includes(name) ?? true)
  );
});

try {
  const rows: Row[] = [];
  for (const name of names.sort()) {
    const row = await repairProgram(name, copyProgram(folder, name));
    rows.push(row);
    print(row);
  }
  summarise(rows);
} finally {
  if (values.out === undefined) process.stdout.write('(no --out: the repaired programs were not kept)\n');
  rmSync(scratch, { recursive: true, force: true });
}

interface Copy {
  readonly root: string;
  /** New name -> name of the original. */
  readonly original: ReadonlyMap<string, string>;
}

function copyProgram(from: string, name: string): Copy {
  const root = join(scratch, name);
  for (const part of ['package.json', 'src', 'test'])
    cpSync(join(from, name, part), join(root, part), { recursive: true });
  if (!values.rename) return { root, original: new Map() };
  const modules = (part: string): string[] => readdirSync(join(root, part)).filter((file) => /\.[cm]?js$/.test(file));
  const texts = modules('src').map((file) => ({
    path: join(root, 'src', file),
    text: readFileSync(join(root, 'src', file), 'utf8'),
  }));
  const declared = new Set(texts.flatMap(({ path, text }) => declaredNames(path, text)));
  const fresh = new Map([...declared].map((old, index) => [old, `v${index + 1}`]));
  for (const { path, text } of texts) writeFileSync(path, renameIdentifiers(path, text, fresh));
  for (const file of modules('test')) {
    const path = join(root, 'test', file);
    writeFileSync(path, renameImports(path, readFileSync(path, 'utf8'), fresh));
  }
  return { root, original: new Map([...fresh].map(([old, now]) => [now, old])) };
}

/** Leaves the sources in the output folder, under their own names again. */
function keep(name: string, { root, original }: Copy): void {
  for (const file of readdirSync(join(root, 'src'))) {
    const text = readFileSync(join(root, 'src', file), 'utf8');
    const target = join(out, name, 'src', file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      text.replace(/\bv\d+\b/g, (word) => original.get(word) ?? word),
    );
  }
}

async function repairProgram(name: string, copy: Copy): Promise<Row> {
  const started = performance.now();
  const row = values['through-cli'] ? throughCli(name, copy) : await throughEngine(name, copy);
  keep(name, copy);
  return { ...row, wallMs: Math.round(performance.now() - started) };
}

function throughCli(name: string, { root }: Copy): Row {
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
    spawnSync('git', [...identity, ...args], { cwd: root });
  };
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'start');
  const capstan = join(import.meta.dirname, '..', 'bin', 'capstan');
  const argv = ['run', '--repo', root, '--apply', '--json', 'make the failing tests pass'];
  const run = spawnSync(capstan, argv, {
    encoding: 'utf8',
    env: { ...process.env, CAPSTAN_HOME: join(scratch, 'home', name) },
    maxBuffer: 64 * 1024 * 1024,
  });
  rmSync(join(root, '.git'), { recursive: true, force: true });
  const outcome = run.status === 0 ? 'verified' : `exit ${run.status}`;
  return { name, outcome, tried: 0, plausible: 0, groups: 0, operator: '', firstCpuMs: undefined, wallMs: 0 };
}

async function throughEngine(name: string, { root }: Copy): Promise<Row> {
  const { outcome, best, ...rest } = await repairOnce(root);
  for (const edit of best?.edits ?? []) {
    const path = join(root, edit.path);
    writeFileSync(path, applyEdits(readFileSync(path, 'utf8'), [edit]) ?? '');
  }
  const { tried, ranking: plausible, groups, firstCpuMs } = rest;
  return { name, outcome, tried, plausible, groups, operator: best?.operator ?? '', firstCpuMs, wallMs: 0 };
}

function print(row: Row): void {
  const cpu = row.firstCpuMs === undefined ? '-' : `${row.firstCpuMs} ms`;
  const counts = `${row.tried} tried, ${row.plausible} plausible in ${row.groups} groups`;
  process.stdout.write(
    `${row.name.padEnd(28)} ${row.outcome.padEnd(12)} ${counts.padEnd(44)} first ${cpu.padEnd(10)} wall ${row.wallMs} ms ${row.operator}\n`,
  );
}

function summarise(rows: readonly Row[]): void {
  const cpu = rows
    .flatMap((row) => (row.firstCpuMs === undefined ? [] : [row.firstCpuMs]))
    .sort((first, second) => first - second);
  const solved = rows.filter((row) => row.outcome === 'plausible' || row.outcome === 'verified').length;
  const median = cpu[Math.floor(cpu.length / 2)];
  process.stdout.write(
    `${solved} of ${rows.length} with a patch that passes the tests; whether it is correct is for the scorer to say.\n`,
  );
  if (median !== undefined)
    process.stdout.write(`CPU to the first candidate that passes, baseline runs included: median ${median} ms\n`);
  process.stdout.write('QuixBugs is public and its bugs are one-line edits.\n');
}
