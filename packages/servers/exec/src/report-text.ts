import { plainText } from '@capstan/checks';
import { type CheckReport, sizes, type TestCase } from '@capstan/contracts';
import { firstBytes } from './cut-output.ts';
import type { OutputWindow } from './output-window.ts';

const MESSAGE_BYTES = 600;
const FAILURES_BYTES = 3 * 1024;

/** What a model reads about a run: the verdict, the failed tests, the output; `sizes.execOutput` bytes at most. */
export function reportText(report: CheckReport, output: OutputWindow, notes: readonly string[]): string {
  const opening = [verdict(report), ...notes, ...failures(report)].join('\n');
  const heading = '\n\nOutput:\n';
  const room = sizes.execOutput - Buffer.byteLength(opening) - heading.length;
  const { text } = output.show(Math.max(0, room));
  return text.trim() === '' ? opening : `${opening}${heading}${text}`;
}

const OUTCOMES = {
  passed: 'passed',
  failed: 'failed',
  'timed-out': 'timed out',
  'not-started': 'did not start',
} as const;

function verdict(report: CheckReport): string {
  const ended = report.exitCode === null ? 'no exit code' : `exit code ${report.exitCode}`;
  const seconds = (report.durationMs / 1000).toFixed(1);
  const counts =
    report.tests.length === 0
      ? 'no report of single tests'
      : `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped`;
  return `${report.checkId} ${OUTCOMES[report.outcome]}: ${counts} (${ended}, ${seconds} s).`;
}

function failures(report: CheckReport): string[] {
  const failed = report.tests.filter((test) => test.status === 'failed');
  const lines: string[] = [];
  let room = FAILURES_BYTES;
  for (const test of failed) {
    const line = failureLine(test);
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  if (lines.length < failed.length) lines.push(`... and ${failed.length - lines.length} more failed tests.`);
  return failed.length === 0 ? [] : ['Failed tests:', ...lines];
}

function failureLine(test: TestCase): string {
  const id = firstBytes(plainText(test.id), 300);
  if (test.message === undefined) return `- ${id}`;
  const message = firstBytes(plainText(test.message).trim(), MESSAGE_BYTES);
  return `- ${id}\n    ${message.replaceAll('\n', '\n    ')}`;
}
