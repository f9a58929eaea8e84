import { canonicalJson, type EventRow } from '@capstan/contracts';
import type { z } from 'zod';
import { toolNames } from '../declared-tools.ts';
import { failureOf, structuredOf } from '../outcome.ts';
import { type CallRecord, callRecords, lastOf } from '../run-log.ts';
import type { Ending } from '../run-state.ts';
import { type PlausiblePatch, Validation } from '../tool-results.ts';

/** What test-guided repair says about its work: what was tried and what it shows, and nothing beyond that. */
export function repairSummary(rows: readonly EventRow[], ending: Ending): string {
  const records = callRecords(rows);
  const edits = madeEdits(records);
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
    ...doubtsAbout(rows, records),
    `Made pass: ${fixed.join(', ')}.`,
    `Candidates tried: ${tried}. ${verification?.reason ?? ''} Read the diff before you use it.`,
  ].join(' ');
}

/** Why a patch that stayed may be the wrong one: it takes something away, or another one answers differently. */
function doubtsAbout(rows: readonly EventRow[], records: readonly CallRecord[]): string[] {
  return keptEdits(rows, records).flatMap((edit) => {
    const validation = records
      .filter(({ call, row }) => call.name === toolNames.validatePatch && row < edit.row)
      .flatMap(({ outcome }) => (outcome === undefined ? [] : [structuredOf(outcome, Validation)]))
      .at(-1);
    const text = canonicalJson(edit.call.arguments.edits ?? []);
    const patch = validation?.plausible.find(({ edits }) => canonicalJson(edits) === text);
    if (validation === undefined || patch === undefined) return [];
    return [...disablingDoubt(patch), ...otherAnswer(validation, patch)];
  });
}

/** Edits that were made and not rolled back. */
function keptEdits(rows: readonly EventRow[], records: readonly CallRecord[]): CallRecord[] {
  const made = madeEdits(records);
  const failures = rows.flatMap(({ number, body }) => (body.type === 'attempt-fail' ? [number] : []));
  return made.filter(({ row }, index) => {
    const next = made[index + 1]?.row ?? Number.POSITIVE_INFINITY;
    return !failures.some((number) => number > row && number < next);
  });
}

function madeEdits(records: readonly CallRecord[]): CallRecord[] {
  return records.filter(
    ({ call, outcome }) =>
      call.name === toolNames.editFiles && outcome !== undefined && failureOf(outcome) === undefined,
  );
}

function disablingDoubt({ disables }: PlausiblePatch): string[] {
  if (disables === undefined) return [];
  return [`Careful: it passes your tests, but looks like it disables ${disables}; no better patch was found.`];
}

/** The answer to one input that tells the patch from another plausible one. */
function otherAnswer({ distinguishing }: z.infer<typeof Validation>, { group }: PlausiblePatch): string[] {
  for (const { groups, input, outcomes } of distinguishing) {
    const at = groups.indexOf(group);
    if (at === -1) continue;
    const [here, there] = [outcomes[at], outcomes[1 - at]];
    return [
      `Another patch passes the same tests and behaves differently: ${input} gives ${here} with this one and ${there} with that one. A test for this input would decide.`,
    ];
  }
  return [];
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
