/**
 * What a session's workspace costs on a large repository: `node bench/workspace.ts [--files 20000] [--rounds 3] [--sessions 0]`.
 * Times to open one cold and warm, to checkpoint, to diff, to restore; disk used. In the same run, as a base: cp -a,
 * git clone --shared and git worktree add of the same repository. With --sessions N: disk after N sessions, parked and gone.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SessionWorkspace, trimWorkspacePool } from '@capstan/workspace';
import { findRepository } from '../packages/workspace/src/git/find-repository.ts';
import { WorkspacePool } from '../packages/workspace/src/pool/workspace-pool.ts';
import { makeLargeRepository } from './large-repository.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    sessions: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '3' },
  },
});
const files = Number(values.files);
const sessions = Number(values.sessions);
const searchPath = process.env.PATH ?? '';
const base = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
const root = join(base, 'repository');
const pools = join(base, 'pool');
const edited = join('part-0', 'module-0', 'file-0.ts');

/** CPU time of this process and of its children that have ended: fields 14 to 17 of stat, in ticks of 10 ms. */
function cpuMilliseconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) * 10, 0);
}

const walls = new Map<string, number[]>();
const cpus = new Map<string, number[]>();

/** Does the work, and notes how long it took under that name. */
async function measure<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const [wall, cpu] = [performance.now(), cpuMilliseconds()];
  const result = await work();
  walls.set(name, [...(walls.get(name) ?? []), performance.now() - wall]);
  cpus.set(name, [...(cpus.get(name) ?? []), cpuMilliseconds() - cpu]);
  return result;
}

function median(values: readonly number[] = []): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians of all rounds, and their ratios to the base that comes closest: files of the same number, objects shared. */
function report(): void {
  const [wallBase, cpuBase] = [median(walls.get(baseName)), median(cpus.get(baseName))];
  for (const [name, times] of walls) {
    const [wall, cpu] = [median(times), median(cpus.get(name))];
    const columns = [`${wall.toFixed(0).padStart(7)} ms`, `${(wall / wallBase).toFixed(2).padStart(6)} x`];
    columns.push(`CPU ${cpu.toFixed(0).padStart(6)} ms`, `${(cpu / cpuBase).toFixed(2).padStart(6)} x`);
    console.log(`${name.padEnd(40)} ${columns.join('  ')}`);
  }
}

const baseName = 'base: git clone --shared';

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: root, stdio: 'ignore', env: { PATH: searchPath, HOME: base } });
}

/** What folders take on disk together; what is linked twice counts once. */
function disk(...names: string[]): string {
  const said = execFileSync('du', ['-sck', ...names.map((name) => join(base, name))], { encoding: 'utf8' });
  return `${(Number(said.trim().split('\n').at(-1)?.split('\t')[0]) / 1024).toFixed(0)} MB`;
}

const open = (name: string) =>
  SessionWorkspace.open({ repository: root, folder: join(base, name), searchPath, pool: pools });

async function prepare(workspace: SessionWorkspace): Promise<void> {
  const pool = new WorkspacePool(pools, await findRepository(root), searchPath);
  await pool.prepare(workspace.baseTree, files, new AbortController().signal);
}

async function bases(): Promise<void> {
  await measure(baseName, () => git('clone', '-q', '--shared', root, join(base, 'clone')));
  await measure('base: git worktree add', () => git('worktree', 'add', '-q', '--detach', join(base, 'worktree')));
  await measure('base: cp -a', () => execFileSync('cp', ['-a', root, join(base, 'copy')]));
  for (const name of ['clone', 'worktree', 'copy']) rmSync(join(base, name), { recursive: true });
  git('worktree', 'prune');
}

async function steps(workspace: SessionWorkspace): Promise<void> {
  const tree = await measure('checkpoint, the first', () => workspace.snapshot());
  await measure('checkpoint, nothing changed', () => workspace.snapshot());
  appendFileSync(join(workspace.root, edited), '// edited\n');
  await measure('checkpoint after one edit', () => workspace.snapshot());
  await measure('diff of one edit', () => workspace.diff());
  await measure('restore of one edit', () => workspace.restore(tree));
}

/** Everything once, from no pool at all. */
async function oneRound(): Promise<void> {
  await bases();
  const first = await measure('open cold', () => open('first'));
  await steps(first);
  if (!walls.has('open warm')) {
    console.log(`disk: copy ${disk('first/tree')}, session's git folder and pool ${disk('first/git', 'pool')}`);
  }
  await measure('open, content known, no copy made ahead', () => open('second'));
  await measure('make a copy ahead (in the background)', () => prepare(first));
  await measure('open warm', () => open('third'));
  await prepare(first);
  appendFileSync(join(root, edited), '// moved on\n');
  await measure('open warm after an edit in the checkout', () => open('fourth'));
  for (const name of ['first', 'second', 'third', 'fourth', 'pool']) rmSync(join(base, name), { recursive: true });
}

async function many(): Promise<void> {
  for (let at = 1; at <= sessions; at += 1) {
    const started = performance.now();
    const workspace = await open(`sessions/${at}`);
    const took = performance.now() - started;
    appendFileSync(join(workspace.root, edited), `// session ${at}\n`);
    await workspace.snapshot();
    await prepare(workspace);
    if (at % 10 === 0 || at === sessions) {
      console.log(`after ${at} sessions: ${disk('sessions', 'pool')}; the last one opened in ${took.toFixed(0)} ms`);
    }
  }
  for (let at = 1; at <= sessions; at += 1) await (await open(`sessions/${at}`)).park();
  console.log(`all parked (gc of ended sessions that are kept): ${disk('sessions', 'pool')}`);
  rmSync(join(base, 'sessions'), { recursive: true });
  console.log(`all removed (gc): ${disk('pool')}`);
  await trimWorkspacePool({ folder: pools, now: Date.now(), unusedMilliseconds: 0, bytes: 0 });
  console.log(`the pool trimmed (gc, unused for as long as sessions are kept): ${disk('pool')}`);
}

try {
  mkdirSync(root);
  const bytes = makeLargeRepository(root, files, searchPath);
  console.log(`${files} files, ${(bytes / 1024 ** 2).toFixed(0)} MB; its .git ${disk('repository/.git')}`);
  for (let round = 0; round < Number(values.rounds); round += 1) await oneRound();
  report();
  if (sessions > 0) await many();
} finally {
  rmSync(base, { recursive: true, force: true });
}
