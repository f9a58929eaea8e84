import { type Baseline, testsWith } from './baseline.ts';
import { nodeFlagsOf } from './node-command.ts';
import type { PreparedTexts } from './prepare-texts.ts';
import type { WorkspaceModules } from './read-workspace.ts';
import type { RepairDeps } from './repair-deps.ts';
import { failingFiles, stepLimit } from './reproduce.ts';
import { type DriverLine, runJob } from './run-job.ts';

/** What all parts of one validation share. */
export interface Session {
  readonly deps: RepairDeps;
  readonly modules: WorkspaceModules;
  readonly baseline: Baseline;
  readonly prepared: PreparedTexts;
  readonly parallel: number;
  /** On the clock of `performance.now()`: no process runs on after it. */
  readonly deadline: number;
}

const MEMORY_MB = 512;
/** Less than this is not worth a process. */
const LEAST_MS = 300;
const EXPLORE_MS = 3000;
const RESERVED_CONFIRMATIONS = 3;

/** Milliseconds until the deadline. */
export function timeLeft(session: Session): number {
  return Math.max(0, Math.round(session.deadline - performance.now()));
}

/** Runs one step until the deadline at most; without time, nothing. */
export async function runStep(
  session: Session,
  step: object,
  onLine: (line: DriverLine) => void = () => {},
): Promise<DriverLine[]> {
  const left = timeLeft(session);
  return left < LEAST_MS ? [] : await runJob(session.deps, [step], left, onLine);
}

/** What every step says: where and how the check's processes run. */
export function commonOf({ baseline: { check }, parallel }: Session): object {
  return {
    directory: check.directory,
    nodeFlags: nodeFlagsOf(check),
    environment: check.directEnvironment,
    memoryMb: MEMORY_MB,
    parallel,
  };
}

/** Time that screening leaves as soon as something has passed: for confirming the first few, and for further inputs. */
export function reserveOf(session: Session, total: number): number {
  const { fileMs } = session.baseline;
  const once = failingFiles(session.baseline).reduce((sum, file) => sum + (fileMs[file] ?? 0), 0);
  return Math.min(total / 2, RESERVED_CONFIRMATIONS * once + EXPLORE_MS);
}

/** Steps that the tests need, many times over; a test that needed the limit was endless and says nothing. */
export function limitOf({ coverage }: Baseline): number {
  const needed = coverage.filter(({ steps }) => steps < stepLimit).map(({ steps }) => steps);
  return Math.min(stepLimit, 50_000 + 30 * Math.max(0, ...needed));
}

/** Tells how far the validation is. */
export function announce({ deps }: Session, tried: number, total: number, plausible: number): void {
  deps.onProgress?.(`${tried} of ${total} candidates tried, ${plausible} pass so far`);
}

/** Ids of tests by the file that is started for them. */
export function idsByFile(baseline: Baseline, status: 'passed' | 'failed'): Record<string, string[]> {
  const wanted = new Set(testsWith(baseline, status));
  const ids: Record<string, string[]> = {};
  for (const { id, file } of baseline.tests) {
    if (!wanted.has(id)) continue;
    ids[file] ??= [];
    ids[file].push(id);
  }
  return ids;
}

/** CPU milliseconds of a job, by its last line. */
export function cpuOf(lines: readonly DriverLine[]): number {
  return Number(lines.findLast((line) => line.kind === 'done')?.cpuMs ?? 0);
}
