import type { Baseline } from './baseline.ts';
import { type FileReport, isolatedTests } from './driver-reports.ts';
import type { DriverLine } from './run-job.ts';

/**
 * The failing tests that pass now, by a candidate's own runs of `files`; `undefined` when something is wrong: a report is
 * missing, incomplete or was tampered with, a test is missing or reported twice, or one that passed before does not pass
 * now.
 */
export function judgeFiles(baseline: Baseline, line: DriverLine, files: readonly string[]): string[] | undefined {
  const reports = line.files as FileReport[];
  if (reports.length < files.length || !reports.every((report) => report.complete)) return undefined;
  const found = isolatedTests(reports);
  const status = new Map(found.map((test) => [test.id, test.status]));
  const known = new Set(baseline.tests.map((test) => test.id));
  if (found.some(({ id }) => !known.has(id) && known.has(id.replace(/ #\d+$/, '')))) return undefined;
  const expected = baseline.tests.filter((test) => files.includes(test.file));
  const whole = expected.every((test) => {
    if (test.status === 'passed') return status.get(test.id) === 'passed';
    return test.status !== 'failed' || status.has(test.id);
  });
  if (!whole) return undefined;
  return expected.filter((test) => test.status === 'failed' && status.get(test.id) === 'passed').map((test) => test.id);
}
