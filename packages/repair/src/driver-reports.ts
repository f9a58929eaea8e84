import type { RecordedCall, TestCoverage } from './baseline.ts';
import type { Probe } from './instrument.ts';
import type { DriverLine } from './run-job.ts';
import { numberTwins, testId } from './test-id.ts';

/** One test as a runner reported it. */
export interface ReportedTest {
  readonly id: string;
  /** The file that was started. */
  readonly file: string;
  /** Where the test is defined and what it is called, the same in a report of the whole suite and in one of its file. */
  readonly key: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly message?: string;
  readonly stack?: string;
}

interface RawTest {
  readonly file?: string;
  readonly names: string[];
  readonly status: ReportedTest['status'];
  readonly message?: string;
  readonly stack?: string;
}

/** What one file, run by itself, gave. */
export interface FileReport {
  readonly file: string;
  readonly tests: readonly RawTest[];
  readonly complete: boolean;
  readonly timedOut: boolean;
  readonly errors: string;
  readonly wallMs: number;
  readonly trace?: readonly Traced[];
}

interface Traced {
  readonly load?: readonly number[];
  readonly name?: string;
  readonly steps?: number;
  readonly hits?: readonly number[];
  readonly calls?: readonly { readonly id: number; readonly args: readonly unknown[] }[];
}

/** The tests of a whole suite; their ids begin with the file that defines them. */
export function suiteTests(line: DriverLine): ReportedTest[] {
  const tests = line.tests as RawTest[];
  return withKeys(tests.map(({ file = '', ...rest }) => ({ ...rest, file, id: idOf(file, rest.names) })));
}

/** The tests of files that were run by themselves; their ids begin with the file that was started. */
export function isolatedTests(reports: readonly FileReport[]): ReportedTest[] {
  const tests = reports.flatMap((report) =>
    report.tests.map(({ file = report.file, ...rest }) => ({
      ...rest,
      defined: file,
      file: report.file,
      id: idOf(report.file, rest.names),
    })),
  );
  return withKeys(tests);
}

/** Of an `isolated` line. */
export function fileReports(line: DriverLine): readonly FileReport[] {
  return line.reports as FileReport[];
}

function idOf(file: string, names: readonly string[]): string {
  return file === '' ? names.join(' > ') : testId(file, names);
}

type Keyless = Omit<ReportedTest, 'key'> & { readonly names: readonly string[]; readonly defined?: string };

function withKeys(tests: readonly Keyless[]): ReportedTest[] {
  const keys = numberTwins(tests.map(({ names, file, defined = file }) => ({ id: idOf(defined, names) })));
  const ids = numberTwins(tests);
  return ids.map(({ names: _names, defined: _defined, ...test }, index) => ({ ...test, key: keys[index]?.id ?? '' }));
}

export interface ObservedTest {
  readonly id: string;
  readonly failure?: { readonly message: string };
  readonly steps: number;
  readonly hits: readonly number[];
}

/** Of an `observe` line: what our own harness saw. */
export function observedTests(line: DriverLine): readonly ObservedTest[] {
  return line.tests as ObservedTest[];
}

/** What tests reached, and with which arguments exported functions were called. */
export interface Reach {
  readonly coverage: readonly TestCoverage[];
  readonly load: readonly number[];
  readonly calls: readonly RecordedCall[];
}

/** What our harness saw the tests reach; `known` are the ids of tests, `failing` those that fail. */
export function observedReach(
  line: DriverLine,
  probes: readonly Probe[],
  known: ReadonlySet<string>,
  failing: ReadonlySet<string>,
): Reach {
  const tests = observedTests(line).filter(({ id }) => known.has(id));
  return {
    coverage: tests.map(({ id, steps, hits }) => ({ id, failed: failing.has(id), steps, hits })),
    load: line.load as number[],
    calls: callsOf(line.calls as { id: number; args: unknown[] }[], probes),
  };
}

/** The same from files that were run by themselves with probes. */
export function tracedReach(
  reports: readonly FileReport[],
  probes: readonly Probe[],
  known: ReadonlySet<string>,
  failing: ReadonlySet<string>,
): Reach {
  const traced = reports.flatMap(({ file, trace = [] }) => trace.map((one) => ({ file, ...one })));
  const named = numberTwins(
    traced.flatMap(({ file, name, steps = 0, hits = [] }) =>
      name === undefined ? [] : [{ id: testId(file, [name]), steps, hits }],
    ),
  );
  return {
    coverage: named.flatMap((test) => (known.has(test.id) ? [{ ...test, failed: failing.has(test.id) }] : [])),
    load: [...new Set(traced.flatMap(({ load = [] }) => load))],
    calls: callsOf(
      traced.flatMap(({ calls = [] }) => calls),
      probes,
    ).slice(0, MOST_CALLS),
  };
}

const MOST_CALLS = 200;

function callsOf(
  calls: readonly { readonly id: number; readonly args: readonly unknown[] }[],
  probes: readonly Probe[],
): RecordedCall[] {
  return calls.flatMap(({ id, args }) => {
    const probe = probes[id];
    return probe?.exported === undefined ? [] : [{ path: probe.path, name: probe.exported, args }];
  });
}
