import type { CheckReport, TaskKind, Verification } from '@capstan/contracts';
import type { Claim } from './claims.ts';
import { compareReports } from './compare-reports.ts';

/** Everything that the verdict rests on. */
export interface Evidence {
  readonly kind: TaskKind;
  /** Must the tests that failed before pass now? */
  readonly asksForRepair: boolean;
  readonly before: readonly CheckReport[];
  readonly after: readonly CheckReport[];
  readonly unstable: ReadonlySet<string>;
  readonly changedFiles: readonly string[];
  /** Successful calls that looked at something or ran something. */
  readonly looks: number;
  readonly claims: readonly Claim[];
}

/**
 * The verdict (requirement A4). A change is verified when something was changed, nothing broke, and the checks pass, or
 * everything that the task asked for does. Claims without a call to match make it not verified where no check can speak.
 */
export function judgeRun(evidence: Evidence): Verification {
  const { before, after, unstable, claims } = evidence;
  const { fixed, broken, stillFailing, newlyFailing } = compareReports(before, after, unstable);
  const { verdict, reason } = evidence.kind === 'change' ? judgeChange(evidence) : judgeWords(evidence);
  const notes = [reason, ...unstableNote(unstable), ...editedTestsNote(evidence)];
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

type Verdict = Pick<Verification, 'verdict' | 'reason'>;

function judgeChange(evidence: Evidence): Verdict {
  const { after, before, unstable, changedFiles, claims } = evidence;
  if (changedFiles.length === 0) return { verdict: 'not-verified', reason: 'Nothing was changed.' };
  if (after.length === 0) {
    const unmatched = claims.find((claim) => !claim.supported);
    return unmatched === undefined
      ? {
          verdict: 'not-checked',
          reason: 'This repository has no tests that Capstan can run: the change was not checked.',
        }
      : { verdict: 'not-verified', reason: `No call matches the statement "${unmatched.sentence}".` };
  }
  const stopped = after.find((report) => report.outcome === 'timed-out' || report.outcome === 'not-started');
  if (stopped !== undefined) return { verdict: 'not-verified', reason: `${stopped.checkId} ${stopped.outcome}.` };
  const comparison = compareReports(before, after, unstable);
  const broken = [...comparison.broken, ...comparison.newlyFailing];
  if (broken.length > 0)
    return { verdict: 'not-verified', reason: `${count(broken)} passed before and fail now: ${names(broken)}.` };
  const red = after.filter((report) => report.outcome !== 'passed');
  if (red.length === 0) return { verdict: 'verified', reason: 'All checks pass.' };
  const blind = red.find((report) => report.tests.length === 0);
  if (blind !== undefined) return { verdict: 'not-verified', reason: `${blind.checkId} fails.` };
  const { fixed, stillFailing } = comparison;
  if (stillFailing.length === 0 && (fixed.length > 0 || unstable.size > 0)) {
    return { verdict: 'verified', reason: 'Every stable test passes.' };
  }
  if (stillFailing.length === 0)
    return { verdict: 'not-verified', reason: `${red[0]?.checkId} fails, though no test does.` };
  const reason = `${count(stillFailing)} failed before and still fail: ${names(stillFailing)}.`;
  if (evidence.asksForRepair) return { verdict: 'not-verified', reason };
  return { verdict: 'verified', reason: `Nothing broke; the task did not ask for these: ${reason}` };
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
  return unstable.size === 0 ? [] : [`Set aside as unstable: ${names([...unstable])}.`];
}

/** A test that was edited proves less: people must see it. */
function editedTestsNote({ before, changedFiles }: Evidence): string[] {
  const testFiles = new Set(before.flatMap((report) => report.tests.flatMap((test) => (test.file ? [test.file] : []))));
  const edited = changedFiles.filter((file) => testFiles.has(file));
  return edited.length === 0 ? [] : [`Test files were changed: ${edited.join(', ')}.`];
}

function names(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
}

function count(ids: readonly string[]): string {
  return ids.length === 1 ? '1 test' : `${ids.length} tests`;
}
