import type { Check } from '@capstan/contracts';
import type { BaselineTest, RecordedCall, Reproduction, TestCoverage } from './baseline.ts';
import type { Probe } from './instrument.ts';
import { prepareTexts } from './prepare-texts.ts';
import type { WorkspaceModules } from './read-workspace.ts';
import type { RepairDeps } from './repair-deps.ts';
import { type DriverLine, runJob } from './run-job.ts';
import { numberTwins, testId } from './test-id.ts';

export interface ReproduceOptions {
  /** How often the unpatched suite is run before its results are believed; 3 by default. */
  readonly runs?: number;
  /** Wall time of one run of the whole suite; 120 s by default. */
  readonly suiteMilliseconds?: number;
}

/** Steps (reached probes) that one test may take in our harness before it counts as endless. */
export const stepLimit = 3_000_000;
const MEMORY_MB = 512;
/** Screening is only a filter: what passes is confirmed by node:test, so that a few tests can be left out of it. */
const MISJUDGED_SHARE = 0.1;

interface ReportedTest extends BaselineTest {
  readonly status: 'passed' | 'failed' | 'skipped';
}

/**
 * Runs the unpatched suite several times in the sandbox: once by the repository's own runner, then in our own harness,
 * which also counts what each test reaches; where the two disagree the runner runs again, and it alone is believed.
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
  const milliseconds = options.suiteMilliseconds ?? 120_000;
  const suite = suiteStep(check, milliseconds);
  const observe = observeStep(check, prepared.texts, prepared.probes.length, milliseconds);
  const observations = Math.max(1, runs - 1);
  const steps = [suite, ...Array.from({ length: observations }, () => observe)];
  const lines = await runJob(deps, steps, milliseconds * steps.length + 10_000, announce(deps));
  const first = lines.find((line) => line.kind === 'suite');
  const refusal = refuse(first, milliseconds);
  if (first === undefined || refusal !== undefined) return refusal ?? timedOut(undefined, milliseconds);

  const reports = [testsOf(first)];
  const observed = lines.filter((line) => line.kind === 'observe');
  if (!observed.every((line) => agrees(line, reports[0] ?? []))) {
    const again = await runJob(deps, Array(observations).fill(suite), milliseconds * runs + 10_000, announce(deps));
    const suites = again.filter((line) => line.kind === 'suite');
    const slow = suites.map((line) => refuse(line, milliseconds)).find((found) => found !== undefined);
    if (slow !== undefined || suites.length < observations) return slow ?? timedOut(undefined, milliseconds);
    reports.push(...suites.map(testsOf));
  }
  return conclude(check, runs, reports, observed, prepared.probes, cpuOf(lines));
}

function announce(deps: RepairDeps): (line: DriverLine) => void {
  let count = 0;
  return (line) => {
    if (line.kind !== 'suite' && line.kind !== 'observe') return;
    count += 1;
    deps.onProgress?.(`baseline run ${count}: ${(line.tests as unknown[]).length} tests`);
  };
}

function suiteStep(check: Check, timeoutMs: number): object {
  const argv = withoutReporters(commandOf(check));
  return {
    kind: 'suite',
    name: 'suite',
    argv,
    directory: check.directory,
    timeoutMs,
    environment: check.directEnvironment,
  };
}

function observeStep(check: Check, texts: object, probes: number, timeoutMs: number): object {
  const nodeFlags = nodeFlagsOf(check);
  const environment = check.directEnvironment;
  const limits = { stepLimit, timeoutMs, memoryMb: MEMORY_MB };
  return {
    kind: 'observe',
    name: 'observe',
    directory: check.directory,
    texts,
    probes,
    nodeFlags,
    environment,
    ...limits,
  };
}

const TSX = /(^|\/)tsx\/dist\/cli\.mjs$/;

/** The check's own `node --test`. What tsx would start is started directly, with tsx as a loader. */
function commandOf(check: Check): readonly string[] {
  const [node = 'node', first = '', ...rest] = check.directArgv ?? ['node', '--test'];
  return TSX.test(first) ? [node, '--import', 'tsx', ...rest] : [node, ...(first === '' ? [] : [first]), ...rest];
}

function withoutReporters(argv: readonly string[]): string[] {
  const isValue = (index: number): boolean => /^--test-reporter(-destination)?$/.test(argv[index - 1] ?? '');
  return argv.filter((word, index) => !word.startsWith('--test-reporter') && !isValue(index));
}

/** Flags of the check's own command that concern Node, not the test runner: loaders, conditions. */
export function nodeFlagsOf(check: Check): string[] {
  const words = commandOf(check).slice(1);
  const flags: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word.startsWith('--test') || word === '--experimental-test-coverage') continue;
    if (/^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C)$/.test(word)) {
      flags.push(word, words[at + 1] ?? '');
      at += 1;
    } else if (word.startsWith('--')) flags.push(word);
  }
  return flags;
}

function refuse(line: DriverLine | undefined, milliseconds: number): Reproduction | undefined {
  if (line === undefined) return undefined;
  const tests = testsOf(line);
  if (line.timedOut === true) return timedOut(tests.at(-1)?.id, milliseconds);
  if (tests.length > 0) return undefined;
  const hint =
    (typeof line.errors === 'string' ? line.errors : '').trim().slice(-300) || 'Does the test command find test files?';
  return { kind: 'failure', failure: { level: 'fatal', code: 'no-tests', message: 'the suite has no tests', hint } };
}

function timedOut(last: string | undefined, milliseconds: number): Reproduction {
  const after = last === undefined ? '' : `; the last test that ended is "${last}"`;
  const message = `the tests did not end within ${Math.round(milliseconds / 1000)} s${after}`;
  const hint = 'Give the endless test a time limit, or fix what keeps the process alive.';
  return { kind: 'failure', failure: { level: 'fatal', code: 'tests-time-out', message, hint } };
}

function testsOf(line: DriverLine): ReportedTest[] {
  const tests = line.tests as { file?: string; names: string[]; status: ReportedTest['status']; message?: string }[];
  return numberTwins(
    tests.map(({ file = '', names, ...rest }) => ({
      ...rest,
      file,
      id: file === '' ? names.join(' > ') : testId(file, names),
    })),
  );
}

interface ObservedTest {
  readonly id: string;
  readonly failure?: { readonly message: string };
  readonly steps: number;
  readonly hits: readonly number[];
}

function observedTests(line: DriverLine): ObservedTest[] {
  return line.tests as ObservedTest[];
}

/** Whether our harness saw the same tests pass and fail as the runner did. */
function agrees(line: DriverLine, report: readonly ReportedTest[]): boolean {
  if (line.lost !== undefined) return false;
  const own = new Map(observedTests(line).map((test) => [test.id, test.failure === undefined ? 'passed' : 'failed']));
  const known = report.filter((test) => test.status !== 'skipped');
  return known.length === own.size && known.every((test) => own.get(test.id) === test.status);
}

function conclude(
  check: Check,
  runs: number,
  reports: readonly ReportedTest[][],
  observed: readonly DriverLine[],
  probes: readonly Probe[],
  cpuMs: number,
): Reproduction {
  const tests = mergeReports(reports);
  const stable = new Set(tests.filter((test) => test.status === 'failed').map((test) => test.id));
  const unstable = tests.filter((test) => test.status === 'unstable');
  if (stable.size === 0 && unstable.length > 0) return onlyUnstable(unstable);
  if (stable.size === 0) {
    return { kind: 'none-failing', passing: tests.filter((test) => test.status === 'passed').length };
  }
  const settled = tests.filter((test) => test.status !== 'unstable');
  const misjudged = misjudgedBy(observed, settled);
  const last = observed.at(-1);
  return {
    kind: 'baseline',
    baseline: {
      check,
      runs,
      tests,
      files: [...new Set(tests.map((test) => test.file).filter((file) => file !== ''))].sort(),
      harness: misjudged === undefined ? 'isolated' : 'screened',
      misjudged: misjudged ?? [],
      observedMs: Math.max(0, ...observed.map((line) => Number(line.wallMs ?? 0))),
      coverage: last === undefined ? [] : coverageOf(last, stable),
      load: (last?.load as number[] | undefined) ?? [],
      calls: last === undefined ? [] : callsOf(last, probes),
      cpuMs,
    },
  };
}

function mergeReports(reports: readonly ReportedTest[][]): BaselineTest[] {
  const merged = new Map<string, BaselineTest>();
  const seen = new Map<string, number>();
  for (const report of reports) {
    for (const test of report) {
      seen.set(test.id, (seen.get(test.id) ?? 0) + 1);
      const before = merged.get(test.id);
      if (before === undefined) merged.set(test.id, test);
      else if (before.status !== test.status) merged.set(test.id, { ...before, status: 'unstable' });
    }
  }
  return [...merged.values()].map((test) =>
    seen.get(test.id) === reports.length ? test : { ...test, status: 'unstable' as const },
  );
}

function onlyUnstable(unstable: readonly BaselineTest[]): Reproduction {
  const names = unstable.slice(0, 5).map((test) => `"${test.id}"`);
  const more = unstable.length > 5 ? ` and ${unstable.length - 5} more` : '';
  const message = `no test fails every time; unstable: ${names.join(', ')}${more}`;
  const hint = 'Make these tests repeatable (time, randomness, order), then try again.';
  return { kind: 'failure', failure: { level: 'fatal', code: 'tests-unstable', message, hint } };
}

/**
 * Ids of tests that our harness judges otherwise than the runner, its own names for them included; `undefined` where it
 * cannot screen: it lost the process, sees no failing test fail, or misjudges more than a tenth of all.
 */
function misjudgedBy(observed: readonly DriverLine[], settled: readonly BaselineTest[]): string[] | undefined {
  const known = new Map(settled.map((test) => [test.id, test.status]));
  const found = new Set<string>();
  for (const line of observed) {
    if (line.lost !== undefined) return undefined;
    const own = new Map(observedTests(line).map((test) => [test.id, test.failure === undefined ? 'passed' : 'failed']));
    for (const [id, status] of known) if (status !== 'skipped' && own.get(id) !== status) found.add(id);
    for (const [id, status] of own) if (status === 'failed' && known.get(id) !== 'failed') found.add(id);
  }
  const blind = settled.every((test) => test.status !== 'failed' || found.has(test.id));
  return blind || found.size > settled.length * MISJUDGED_SHARE ? undefined : [...found];
}

function coverageOf(line: DriverLine, failing: ReadonlySet<string>): TestCoverage[] {
  return observedTests(line).map(({ id, steps, hits }) => ({ id, failed: failing.has(id), steps, hits }));
}

function callsOf(line: DriverLine, probes: readonly Probe[]): RecordedCall[] {
  return (line.calls as { id: number; args: unknown[] }[]).flatMap(({ id, args }) => {
    const probe = probes[id];
    return probe?.exported === undefined ? [] : [{ path: probe.path, name: probe.exported, args }];
  });
}

function cpuOf(lines: readonly DriverLine[]): number {
  return Number(lines.findLast((line) => line.kind === 'done')?.cpuMs ?? 0);
}
