import type { BaselineTest } from './baseline.ts';
import type { ReportedTest } from './driver-reports.ts';

/**
 * The tests of a baseline. Runs of single files say what each test does, because candidates are judged by such runs; where
 * they differ among themselves, or from the whole suite, the test is unstable. What the suite leaves out counts as skipped.
 */
export function mergeReports(
  suite: readonly ReportedTest[],
  isolated: readonly (readonly ReportedTest[])[],
): BaselineTest[] {
  const inSuite = new Map(suite.map((test) => [test.key, test.status]));
  const merged = new Map<string, BaselineTest>();
  const seen = new Map<string, number>();
  const keys = new Set<string>();
  for (const { key, ...test } of isolated.flat()) {
    keys.add(key);
    seen.set(test.id, (seen.get(test.id) ?? 0) + 1);
    const before = merged.get(test.id);
    const expected = inSuite.get(key);
    if (expected === undefined) merged.set(test.id, { ...test, status: 'skipped' });
    else if (before === undefined) merged.set(test.id, { ...test, status: same(test.status, expected) });
    else if (before.status !== test.status) merged.set(test.id, { ...before, status: 'unstable' });
  }
  const found = [...merged.values()].map((test) =>
    seen.get(test.id) === isolated.length ? test : { ...test, status: 'unstable' as const },
  );
  const lost = suite.filter(({ key, id }) => !keys.has(key) && !merged.has(id));
  return [...found, ...lost.map(({ key: _key, ...test }) => ({ ...test, status: lostStatus(test.status) }))];
}

function same(status: ReportedTest['status'], expected: ReportedTest['status']): BaselineTest['status'] {
  return status === expected ? status : 'unstable';
}

/** A test that only the whole suite runs cannot be watched. */
function lostStatus(status: ReportedTest['status']): BaselineTest['status'] {
  return status === 'skipped' ? 'skipped' : 'unstable';
}
