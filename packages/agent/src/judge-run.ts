import type { Verification } from '@capstan/contracts';
import { compareReports } from './compare-reports.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { judgeChange } from './judge-change.ts';
import { someOf } from './some-of.ts';

/**
 * The verdict (requirement A4). A change is verified when something was changed, nothing broke, and the checks pass, or
 * everything that the task asked for does. Claims without a call to match make it not verified where no check can speak.
 */
export function judgeRun(evidence: Evidence): Verification {
  const { before, after, unstable, claims } = evidence;
  const { fixed, broken, gone, stillFailing, newlyFailing } = compareReports(before, after, unstable);
  const { verdict, reason } = evidence.kind === 'change' ? judgeChange(evidence) : judgeWords(evidence);
  const notes = [reason, ...unstableNote(unstable), ...goneNote(gone), ...editedTestsNote(evidence)];
  return {
    verdict,
    before: [...before],
    after: [...after],
    fixed,
    broken: [...broken, ...newlyFailing],
    stillFailing,
    claims: claims.map((claim) => ({ ...claim })),
    reason: notes.join(' '),
  };
}

function judgeWords({ kind, looks, claims }: Evidence): Verdict {
  const unmatched = claims.find((claim) => !claim.supported);
  if (unmatched !== undefined) {
    return { verdict: 'not-verified', reason: `No call matches the statement "${unmatched.sentence}".` };
  }
  if (looks === 0) return { verdict: 'not-verified', reason: 'The answer rests on no tool result.' };
  const what = kind === 'run' ? 'What was run is in the record of calls' : 'The answer rests on tool results';
  return { verdict: 'not-checked', reason: `${what}; no check can judge it.` };
}

function unstableNote(unstable: ReadonlySet<string>): string[] {
  return unstable.size === 0 ? [] : [`Set aside as unstable: ${someOf([...unstable])}.`];
}

function goneNote(gone: readonly string[]): string[] {
  return gone.length === 0 ? [] : [`Skipped or no longer there: ${someOf(gone)}.`];
}

/** A test that was edited proves less: people must see it. */
function editedTestsNote({ before, changedFiles }: Evidence): string[] {
  const testFiles = new Set(before.flatMap((report) => report.tests.flatMap((test) => (test.file ? [test.file] : []))));
  const edited = changedFiles.filter((file) => testFiles.has(file));
  return edited.length === 0 ? [] : [`Test files were changed: ${edited.join(', ')}.`];
}
