import type { EventRow } from '@capstan/contracts';
import { toolNames } from '../declared-tools.ts';
import { failureOf, structuredOf } from '../outcome.ts';
import { type CallRecord, callRecords, lastOf } from '../run-log.ts';
import type { Ending } from '../run-state.ts';
import { Validation } from '../tool-results.ts';

/** What test-guided repair says about its work: what was tried and what it shows, and nothing beyond that. */
export function repairSummary(rows: readonly EventRow[], ending: Ending): string {
  const records = callRecords(rows);
  const edits = records.filter(
    ({ call, outcome }) =>
      call.name === toolNames.editFiles && outcome !== undefined && failureOf(outcome) === undefined,
  );
  const verification = lastOf(rows, 'verification')?.verification;
  if (ending.status !== 'done') {
    const progress = verification?.fixed.length ? ` On the way it made pass: ${verification.fixed.join(', ')}.` : '';
    return `Test-guided repair (no model) did not solve this. ${ending.failure?.message ?? ''}${progress}`.trim();
  }
  if (edits.length === 0) return verification?.reason ?? 'Nothing was changed.';
  const tried = candidatesTried(records);
  const fixed = verification?.fixed ?? [];
  return [
    `Test-guided repair (no model) found a patch that passes your tests, no more: it does not understand the code.`,
    `Made pass: ${fixed.join(', ')}.`,
    `Candidates tried: ${tried}. ${verification?.reason ?? ''} Read the diff before you use it.`,
  ].join(' ');
}

/** Each batch counts everything that was tried for its proposal. */
function candidatesTried(records: readonly CallRecord[]): number {
  const byProposal = new Map<unknown, number>();
  for (const { call, outcome } of records) {
    if (call.name !== toolNames.validatePatch || outcome === undefined) continue;
    byProposal.set(call.arguments.proposalId, structuredOf(outcome, Validation)?.tried ?? 0);
  }
  return [...byProposal.values()].reduce((sum, count) => sum + count, 0);
}
