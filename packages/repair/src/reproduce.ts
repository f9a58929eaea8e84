import type { Check } from '@capstan/contracts';
import { type Baseline, type BaselineTest, type Reproduction, testsWith } from './baseline.ts';
import {
  type FileReport,
  fileReports,
  isolatedTests,
  observedReach,
  observedTests,
  type Reach,
  type ReportedTest,
  suiteTests,
  tracedReach,
} from './driver-reports.ts';
import { mergeReports } from './merge-reports.ts';
import { nodeFlagsOf, suiteCommandOf } from './node-command.ts';
import { type PreparedTexts, prepareTexts } from './prepare-texts.ts';
import { modulePaths, type WorkspaceModules } from './read-workspace.ts';
import { onlyUnstable, refuseSuite, timedOut } from './refuse-suite.ts';
import type { RepairDeps } from './repair-deps.ts';
import { type DriverLine, runJob } from './run-job.ts';

export interface ReproduceOptions {
  /** How often the unpatched suite is looked at before its results are believed; 3 by default. */
  readonly runs?: number;
  /** Wall time of one run of the whole suite; 120 s by default. */
  readonly suiteMilliseconds?: number;
  /** Wall time for all of it; ten minutes by default. */
  readonly milliseconds?: number;
  /** How long our harness may take for a suite, beside what its runner needed; 15 s by default. */
  readonly patienceMilliseconds?: number;
  /** Files that are run at the same time; 2 by default. */
  readonly parallel?: number;
}

/** Steps (reached probes) that one test may take in our harness before it counts as endless. */
export const stepLimit = 3_000_000;
const MEMORY_MB = 512;
const ALL_MS = 600_000;
/** Our own harness may hang where the suite does not: then the files are traced instead. */
const OBSERVE_MS = 120_000;
const PATIENCE_MS = 15_000;
const PATIENCE_TIMES = 4;
/** Screening is only a filter: what passes is confirmed by node:test, so that a few tests can be left out of it. */
const MISJUDGED_SHARE = 0.1;

/**
 * Runs the unpatched suite several times in the sandbox: once by the repository's own command; each of its files in a
 * process of its own, as candidates will be; then in our own harness, which also counts what each test reaches. Where that
 * one disagrees the files are run again by themselves, with probes, and it is not used for more than it judges rightly.
 * Tests whose outcome changes are set aside as unstable. Suites that do not end, that have no tests, or in which only
 * unstable tests fail are refused as values.
 */
export async function reproduce(
  deps: RepairDeps,
  modules: WorkspaceModules,
  check: Check,
  options: ReproduceOptions = {},
): Promise<Reproduction> {
  const runs = Math.max(1, options.runs ?? 3);
  const prepared = prepareTexts(modules, deps.runtimeInside);
  const suiteMs = options.suiteMilliseconds ?? 120_000;
  const deadline = performance.now() + (options.milliseconds ?? ALL_MS);
  const left = (): number => Math.max(1000, deadline - performance.now());
  const isolated = isolatedStep(check, suiteMs, options.parallel ?? 2);
  const looks = Array.from({ length: Math.max(1, runs - 2) }, () => isolated);
  const observe = observeStep(
    check,
    prepared,
    Math.min(suiteMs, OBSERVE_MS),
    options.patienceMilliseconds ?? PATIENCE_MS,
  );
  // What tests reach comes before certainty about them, should time run out.
  const steps = [suiteStep(check, suiteMs), observe, ...looks];
  const lines = await runJob(deps, steps, left(), announce(deps));
  const first = lines.find((line) => line.kind === 'suite');
  const refusal = refuseSuite(first, suiteMs);
  if (first === undefined || refusal !== undefined) return refusal ?? timedOut(undefined, suiteMs);
  const suite = suiteTests(first);
  const files = filesOf(lines);
  if (files.length === 0) return timedOut(undefined, options.milliseconds ?? ALL_MS);

  const observed = lines.find((line) => line.kind === 'observe');
  if (observed !== undefined && agrees(observed, isolatedTests(files[0] ?? []), suite)) {
    return conclude({ check, runs, suite, files, prepared, observed, lines });
  }
  const copied = { modules: modulePaths(modules), probes: prepared.probes.length };
  const traced = { ...isolated, ...copied, texts: prepared.texts, name: 'trace' };
  const texts = Object.fromEntries(modules.sources.map(({ path }) => [path, prepared.texts[path] ?? '']));
  const again = await runJob(deps, withFiles([isolated, { ...traced, texts }], first), left(), announce(deps));
  const more = filesOf(again.filter((line) => line.step !== 'trace'));
  const trace = again.find((line) => line.step === 'trace' && line.whole === true);
  return conclude({ check, runs, suite, files: [...files, ...more], prepared, observed, trace, lines });
}

function withFiles(steps: readonly object[], first: DriverLine): object[] {
  return steps.map((step) => ({ ...step, files: first.entries }));
}

function filesOf(lines: readonly DriverLine[]): (readonly FileReport[])[] {
  return lines.flatMap((line) => (line.kind === 'isolated' && line.whole === true ? [fileReports(line)] : []));
}

function announce(deps: RepairDeps): (line: DriverLine) => void {
  let count = 0;
  return (line) => {
    if (line.kind !== 'suite' && line.kind !== 'observe' && line.kind !== 'isolated') return;
    count += 1;
    const tests = line.kind === 'isolated' ? isolatedTests(fileReports(line)) : (line.tests as unknown[]);
    deps.onProgress?.(`baseline run ${count}: ${tests.length} tests`);
  };
}

function suiteStep(check: Check, timeoutMs: number): object {
  const argv = suiteCommandOf(check);
  const { directory, directEnvironment: environment } = check;
  return { kind: 'suite', name: 'suite', argv, directory, timeoutMs, environment };
}

function isolatedStep(check: Check, timeoutMs: number, parallel: number): object {
  return { kind: 'isolated', name: 'isolated', ...commonOf(check), timeoutMs, memoryMb: MEMORY_MB, parallel };
}

function observeStep(check: Check, prepared: PreparedTexts, timeoutMs: number, patienceMs: number): object {
  const { texts, probes } = prepared;
  const limits = { stepLimit, timeoutMs, memoryMb: MEMORY_MB, patienceMs, patienceTimes: PATIENCE_TIMES };
  return { kind: 'observe', name: 'observe', ...commonOf(check), texts, probes: probes.length, ...limits };
}

function commonOf(check: Check): object {
  const { directory, directEnvironment: environment } = check;
  return { directory, nodeFlags: nodeFlagsOf(check), environment };
}

/** Whether our harness saw the same tests pass and fail as node:test did, file by file and in the whole suite. */
function agrees(line: DriverLine, isolated: readonly ReportedTest[], suite: readonly ReportedTest[]): boolean {
  if (line.lost !== undefined) return false;
  const own = new Map(observedTests(line).map((test) => [test.id, test.failure === undefined ? 'passed' : 'failed']));
  const known = isolated.filter((test) => test.status !== 'skipped');
  const whole = new Map(suite.map((test) => [test.key, test.status]));
  return (
    known.length === own.size &&
    known.every((test) => own.get(test.id) === test.status && whole.get(test.key) === test.status)
  );
}

interface Found {
  readonly check: Check;
  readonly runs: number;
  readonly suite: readonly ReportedTest[];
  readonly files: readonly (readonly FileReport[])[];
  readonly prepared: PreparedTexts;
  readonly observed: DriverLine | undefined;
  readonly trace?: DriverLine | undefined;
  readonly lines: readonly DriverLine[];
}

function conclude(found: Found): Reproduction {
  const tests = mergeReports(found.suite, found.files.map(isolatedTests));
  const stable = new Set(tests.filter((test) => test.status === 'failed').map((test) => test.id));
  const unstable = tests.filter((test) => test.status === 'unstable');
  if (stable.size === 0 && unstable.length > 0) return onlyUnstable(unstable);
  if (stable.size === 0) {
    return { kind: 'none-failing', passing: tests.filter((test) => test.status === 'passed').length };
  }
  const { check, runs, observed } = found;
  const misjudged = misjudgedBy(observed, tests);
  return {
    kind: 'baseline',
    baseline: {
      check,
      runs,
      tests,
      files: (found.files[0] ?? []).map(({ file }) => file),
      fileMs: Object.fromEntries((found.files[0] ?? []).map(({ file, wallMs }) => [file, Math.round(wallMs)])),
      harness: misjudged === undefined ? 'isolated' : 'screened',
      misjudged: misjudged ?? [],
      observedMs: Number(observed?.wallMs ?? 0),
      ...reachOf(found, tests, stable),
      cpuMs: Number(found.lines.findLast((line) => line.kind === 'done')?.cpuMs ?? 0),
    },
  };
}

/** Files that were run by themselves tell more truly what their tests reach; our harness does where it agreed. */
function reachOf(found: Found, tests: readonly BaselineTest[], failing: ReadonlySet<string>): Reach {
  const { observed, trace, prepared } = found;
  const known = new Set(tests.map(({ id }) => id));
  const traced = trace === undefined ? undefined : tracedReach(fileReports(trace), prepared.probes, known, failing);
  if (traced !== undefined && traced.coverage.length > 0) return traced;
  if (observed === undefined) return { coverage: [], load: [], calls: [] };
  return observedReach(observed, prepared.probes, known, failing);
}

/**
 * Ids of tests that our harness judges otherwise than the runner, its own names for them included; `undefined` where it
 * cannot screen: it lost the process, sees no failing test fail, or misjudges more than a tenth of all.
 */
function misjudgedBy(observed: DriverLine | undefined, tests: readonly BaselineTest[]): string[] | undefined {
  if (observed === undefined || observed.lost !== undefined) return undefined;
  const settled = tests.filter((test) => test.status !== 'unstable');
  const known = new Map(settled.map((test) => [test.id, test.status]));
  const own = new Map(
    observedTests(observed).map((test) => [test.id, test.failure === undefined ? 'passed' : 'failed']),
  );
  const found = new Set<string>();
  for (const [id, status] of known) if (status !== 'skipped' && own.get(id) !== status) found.add(id);
  for (const [id, status] of own) if (status === 'failed' && known.get(id) !== 'failed') found.add(id);
  const blind = settled.every((test) => test.status !== 'failed' || found.has(test.id));
  return blind || found.size > settled.length * MISJUDGED_SHARE ? undefined : [...found];
}

/** Files of the baseline in which a test fails. */
export function failingFiles(baseline: Baseline): string[] {
  const failing = new Set(testsWith(baseline, 'failed'));
  const own = new Set(baseline.tests.filter(({ id }) => failing.has(id)).map(({ file }) => file));
  return baseline.files.filter((file) => own.has(file));
}
