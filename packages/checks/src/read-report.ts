import type { Check, CheckReport, TestCase } from '@capstan/contracts';
import type { CheckOutput, CheckRun } from './check-run.ts';
import { type ReportRequest, reportRequest } from './report-request.ts';
import { type FoundTest, testCases } from './reports/found-test.ts';
import { readCargo } from './reports/read-cargo.ts';
import { readGo } from './reports/read-go.ts';
import { readJest } from './reports/read-jest.ts';
import { readJunit } from './reports/read-junit.ts';
import { readMocha } from './reports/read-mocha.ts';
import { readNodeTest } from './reports/read-node-test.ts';

/**
 * What a run of a check showed (requirement A4). Never throws, whatever the runner wrote. The exit code of the
 * repository's own command decides: a report never turns a failure into a pass. A failed test in the report of that
 * same command does turn a pass into a failure (a script that ends in `|| true`).
 */
export function readReport(check: Check, run: CheckRun): CheckReport {
  const { file, details } = reportRequest(check, run.root);
  const own = testCases(readTests(check, run, file), run.root, check.directory);
  const succeeded = run.ended === 'exit' && run.exitCode === 0 && !own.some(isFailed);
  const second = details !== undefined && !(details.ifMissing === true && run.details === undefined);
  const tests = second ? detailTests(check, run, file, succeeded) : own;
  return {
    checkId: check.id,
    outcome:
      run.ended === 'exit'
        ? succeeded
          ? 'passed'
          : 'failed'
        : run.ended === 'not-started'
          ? 'not-started'
          : 'timed-out',
    exitCode: run.exitCode,
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: tests.filter(isFailed).length,
    skipped: tests.filter((test) => test.status === 'skipped').length,
    tests,
    durationMs: run.durationMs,
  };
}

/** The second run may differ from the first (a build step, a variable): failures the verdict does not know are its own. */
function detailTests(check: Check, run: CheckRun, file: ReportRequest['file'], succeeded: boolean): TestCase[] {
  if (run.details === undefined) return [];
  const tests = testCases(readTests(check, run.details, file), run.root, check.directory);
  return succeeded && tests.some(isFailed) ? [] : tests;
}

function readTests(check: Check, output: CheckOutput, file: string | undefined): FoundTest[] {
  const written = file === undefined ? undefined : output.files[file];
  switch (check.framework) {
    case 'node-test':
      return readNodeTest(written ?? '');
    case 'vitest':
    case 'jest':
      return readJest(written ?? '');
    case 'mocha':
      return readMocha(written ?? output.stdout);
    case 'pytest':
      return readJunit(written ?? '');
    case 'go':
      return readGo(output.stdout);
    case 'cargo':
      return readCargo(output.stdout, output.stderr);
    default:
      return [];
  }
}

function isFailed(test: TestCase): boolean {
  return test.status === 'failed';
}
