import type { EventRow } from '@capstan/contracts';
import { toolNames } from '../declared-tools.ts';
import { failureOf, structuredOf } from '../outcome.ts';
import { callRecords, lastOf } from '../run-log.ts';
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
  const tried = records.reduce((sum, { call, outcome }) => {
    const isBatch = call.name === toolNames.validatePatch && outcome !== undefined;
    return sum + (isBatch ? (structuredOf(outcome, Validation)?.tried ?? 0) : 0);
  }, 0);
  const fixed = verification?.fixed ?? [];
  return [
    `Test-guided repair (no model) found a patch that passes your tests, no more: it does not understand the code.`,
    `Made pass: ${fixed.join(', ')}.`,
    `Candidates tried: ${tried}. ${verification?.reason ?? ''} Read the diff before you use it.`,
  ].join(' ');
}
