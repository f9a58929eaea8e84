import type { CheckReport } from '@capstan/contracts';
import { compareReports, isRedWithoutTests, lostTests } from './compare-reports.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { countOf, someOf } from './some-of.ts';

/** The verdict on a change: the first reason against it, or that the checks bear it out. */
export function judgeChange(evidence: Evidence): Verdict {
  const { after, before, unstable, changedFiles } = evidence;
  if (changedFiles.length === 0) return against('Nothing was changed.');
  if (after.length === 0) return judgeUnchecked(evidence);
  const reason = reasonAgainst(evidence);
  if (reason !== undefined) return against(reason);
  const { stillFailing } = compareReports(before, after, unstable);
  if (stillFailing.length > 0) {
    const rest = `${countOf(stillFailing)} failed before and still fail: ${someOf(stillFailing)}`;
    return { verdict: 'verified', reason: `Nothing broke. The task did not ask for these: ${rest}.` };
  }
  const isRed = after.some((report) => report.outcome !== 'passed');
  return { verdict: 'verified', reason: isRed ? 'Every stable test passes.' : 'All checks pass.' };
}

function reasonAgainst({ before, after, unstable, asksForRepair, mayLoseTests }: Evidence): string | undefined {
  const { broken, newlyFailing, stillFailing } = compareReports(before, after, unstable);
  const stopped = after.find((report) => report.outcome === 'timed-out' || report.outcome === 'not-started');
  if (stopped !== undefined) return `${stopped.checkId} ${stopped.outcome}.`;
  if (broken.length > 0) return `${countOf(broken)} passed before and fail now: ${someOf(broken)}.`;
  if (newlyFailing.length > 0) return `${countOf(newlyFailing)} that did not run before fail: ${someOf(newlyFailing)}.`;
  const red = after.find(isRedWithoutTests);
  if (red !== undefined) return describeRed(red);
  const lost = mayLoseTests ? [] : lostTests(before, after, unstable);
  if (lost.length > 0) return `${countOf(lost)} ran before and do not run any more: ${someOf(lost)}.`;
  if (asksForRepair && stillFailing.length > 0) {
    return `${countOf(stillFailing)} failed before and do not pass: ${someOf(stillFailing)}.`;
  }
  return undefined;
}

function describeRed({ checkId, exitCode, tests }: CheckReport): string {
  if (tests.length > 0) return `${checkId} fails, though none of its tests does.`;
  const how = exitCode === null ? '' : ` with exit code ${exitCode}`;
  return `${checkId} fails${how} and reports no single test.`;
}

function judgeUnchecked({ claims }: Evidence): Verdict {
  const unmatched = claims.find((claim) => !claim.supported);
  if (unmatched !== undefined) return against(`No call matches the statement "${unmatched.sentence}".`);
  return {
    verdict: 'not-checked',
    reason: 'This repository has no tests that Capstan can run: the change was not checked.',
  };
}

function against(reason: string): Verdict {
  return { verdict: 'not-verified', reason };
}
