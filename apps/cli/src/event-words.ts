import type { CheckReport, RunStatus } from '@capstan/contracts';

/** Words that the live view of a run and its trace share, so that one thing has one name. */

/** How a run ended. A stop that somebody asked for is called one, though the run waits to be resumed. */
export function statusWords(status: RunStatus, failureCode: string | undefined): string {
  if (failureCode === 'stopped') return 'Stopped';
  const words = {
    done: 'Done',
    unsolved: 'Not solved',
    waiting: 'Waiting for a person',
    denied: 'Denied',
    failed: 'Failed',
  } as const;
  return words[status];
}

/** What the tests of a repository said. */
export function reportWords(report: Omit<CheckReport, 'tests'>): { readonly result: string; readonly check: string } {
  const { checkId, outcome, passed, failed, durationMs } = report;
  if (outcome === 'timed-out') return { result: `${checkId} did not end in time`, check: '' };
  if (outcome === 'not-started') return { result: `${checkId} could not be started`, check: '' };
  const result = passed + failed === 0 ? outcome : `${passed} passed, ${failed} failed`;
  return { result, check: `(${[checkId, briefDuration(durationMs)].filter((text) => text !== '').join(', ')})` };
}

/** Who answered a question, and how. */
export function answerWords({ approved, by }: { readonly approved: boolean; readonly by: string }): string {
  return `${approved ? 'given' : 'refused'} by ${by}`;
}

/** A duration for people; nothing where it is too short to matter. */
export function briefDuration(milliseconds: number): string {
  return milliseconds < 100 ? '' : durationWords(milliseconds);
}

/** A duration for people, to a tenth of a second below a minute. */
export function durationWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds) / 60;
  if (minutes < 60) return `${Math.floor(minutes)} min ${pad(Math.round(seconds) % 60)} s`;
  const hours = Math.round(seconds / 60) / 60;
  if (hours < 48) return `${Math.floor(hours)} h ${pad(Math.round(seconds / 60) % 60)} min`;
  return `${Math.round(hours / 24)} days`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
