import { oldNode } from '@capstan/checks';
import type { BaselineTest, Reproduction } from './baseline.ts';
import { suiteTests } from './driver-reports.ts';
import type { DriverLine } from './run-job.ts';

/** Why a run of the unpatched suite is nothing to work with; undefined where it is. */
export function refuseSuite(line: DriverLine | undefined, milliseconds: number): Reproduction | undefined {
  if (line === undefined) return undefined;
  const tests = suiteTests(line);
  if (line.timedOut === true) return timedOut(tests.at(-1)?.id, milliseconds);
  const errors = textAt(line, 'errors').trim();
  const text = [errors, ...tests.map(({ message = '' }) => message)].join('\n');
  const ran = tests.some(({ status }) => status === 'passed');
  const sentence = ran ? undefined : oldNode(text, textAt(line, 'node'));
  if (sentence !== undefined) return tooOld(sentence);
  if (tests.length > 0) return undefined;
  const hint = errors.slice(-300) || 'Does the test command find test files?';
  return { kind: 'failure', failure: { level: 'fatal', code: 'no-tests', message: 'the suite has no tests', hint } };
}

function textAt(line: DriverLine, key: string): string {
  const value = line[key];
  return typeof value === 'string' ? value : '';
}

function tooOld(message: string): Reproduction {
  const hint = 'Put a newer Node first on the PATH.';
  return { kind: 'failure', failure: { level: 'fatal', code: 'no-toolchain', message, hint } };
}

/** The refusal of a suite that did not end; `last` is the last test that did. */
export function timedOut(last: string | undefined, milliseconds: number): Reproduction {
  const after = last === undefined ? '' : `; the last test that ended is "${last}"`;
  const message = `the tests did not end within ${Math.round(milliseconds / 1000)} s${after}`;
  const hint = 'Give an endless test a time limit; give the run more time (--timeout) where the suite is slow.';
  return { kind: 'failure', failure: { level: 'fatal', code: 'tests-time-out', message, hint } };
}

/** The refusal of a suite in which no test fails every time. */
export function onlyUnstable(unstable: readonly BaselineTest[]): Reproduction {
  const names = unstable.slice(0, 5).map((test) => `"${test.id}"`);
  const more = unstable.length > 5 ? ` and ${unstable.length - 5} more` : '';
  const message = `no test fails every time, with the whole suite and with its file alone; unstable: ${names.join(', ')}${more}`;
  const hint = 'Make these tests repeatable (time, randomness, order), then try again.';
  return { kind: 'failure', failure: { level: 'fatal', code: 'tests-unstable', message, hint } };
}
