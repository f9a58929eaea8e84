import type { CheckReport, TestCase } from '@capstan/contracts';

/** How the tests stand against what they were before. Ids of tests. */
interface Comparison {
  readonly fixed: string[];
  /** Passed before, and fail now. */
  readonly broken: string[];
  /** Passed before, and are skipped or no longer there. */
  readonly gone: string[];
  /** Failed before, and fail, are skipped, or are no longer there. */
  readonly stillFailing: string[];
  /** Did not run before, and fail. */
  readonly newlyFailing: string[];
}

/** Compares test by test; a test that was taken away counts as not passing. `unstable` tests are set aside. */
export function compareReports(
  before: readonly CheckReport[],
  after: readonly CheckReport[],
  unstable: ReadonlySet<string> = new Set(),
): Comparison {
  const then = testsOf(before);
  const now = testsOf(after);
  const comparison: Comparison = { fixed: [], broken: [], gone: [], stillFailing: [], newlyFailing: [] };
  for (const [key, test] of then) {
    if (unstable.has(test.id) || test.status === 'skipped') continue;
    const status = now.get(key)?.status;
    if (test.status === 'failed') (status === 'passed' ? comparison.fixed : comparison.stillFailing).push(test.id);
    else if (status !== 'passed') (status === 'failed' ? comparison.broken : comparison.gone).push(test.id);
  }
  for (const [key, test] of now) {
    const ranBefore = then.has(key) && then.get(key)?.status !== 'skipped';
    if (test.status === 'failed' && !ranBefore && !unstable.has(test.id)) comparison.newlyFailing.push(test.id);
  }
  return comparison;
}

/** Tests that ran before, passed or not, and are skipped or no longer there. Ids of tests. */
export function lostTests(
  before: readonly CheckReport[],
  after: readonly CheckReport[],
  unstable: ReadonlySet<string>,
): string[] {
  const now = testsOf(after);
  const ran = [...testsOf(before)].filter(([, test]) => test.status !== 'skipped' && !unstable.has(test.id));
  return ran.flatMap(([key, test]) => ((now.get(key)?.status ?? 'skipped') === 'skipped' ? [test.id] : []));
}

function testsOf(reports: readonly CheckReport[]): Map<string, TestCase> {
  const tests = new Map<string, TestCase>();
  for (const report of reports) for (const test of report.tests) tests.set(`${report.checkId}\n${test.id}`, test);
  return tests;
}

/** Tests that fail in these reports, without the unstable ones; a check that is red though none of its tests is counts too. */
export function failingIn(reports: readonly CheckReport[], unstable: ReadonlySet<string> = new Set()): number {
  return reports.reduce((sum, report) => {
    if (isRedWithoutTests(report)) return sum + Math.max(1, report.failed);
    return sum + report.tests.filter((test) => test.status === 'failed' && !unstable.has(test.id)).length;
  }, 0);
}

/**
 * What fails after a change, in the measure of `failingIn`. Tests that failed before and no longer run still count, so a
 * check that breaks down as a whole is never better than one with failing tests.
 */
export function failingAfter(
  before: readonly CheckReport[],
  after: readonly CheckReport[],
  unstable: ReadonlySet<string> = new Set(),
): number {
  return after.reduce((sum, report) => {
    const then = before.filter(({ checkId }) => checkId === report.checkId);
    const { broken, newlyFailing, stillFailing } = compareReports(then, [report], unstable);
    const named = broken.length + newlyFailing.length + stillFailing.length;
    return sum + Math.max(named, failingIn([report], unstable));
  }, 0);
}

/** A build before the tests that fails, say: only the exit code tells. */
export function isRedWithoutTests(report: CheckReport): boolean {
  return report.outcome !== 'passed' && !report.tests.some((test) => test.status === 'failed');
}
