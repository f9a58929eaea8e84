import { canonicalJson, type Failure } from '@capstan/contracts';
import { toolNames } from '../declared-tools.ts';
import { failureOf, structuredOf } from '../outcome.ts';
import type { CallRecord } from '../run-log.ts';
import { Localisation, type PlausiblePatch, Proposal, Validation } from '../tool-results.ts';

/** Each batch takes as long as the server allows; with something plausible in hand, fewer are worth it. */
const mostBatches = 5;
const mostBatchesWithPlausible = 2;

/** The next move of test-guided repair. */
export type RepairStep =
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly arguments: Record<string, unknown>;
      readonly stage: RepairStage;
    }
  | { readonly kind: 'verify' }
  | { readonly kind: 'give-up'; readonly failure: Failure };

type RepairStage = 'localise' | 'propose' | 'validate' | 'apply';

/** What was done so far for the present bug. */
export interface RepairHistory {
  readonly checkId: string;
  readonly records: readonly CallRecord[];
  /** Ids of patches that did not pass the final verification. */
  readonly tried: readonly string[];
  /** What is left of the run's time, and what it takes to apply a patch and to verify it. Absent: there is no limit. */
  readonly time?: { readonly leftMs: number; readonly reserveMs: number };
}

/** A call that gets less time than this finds nothing. */
const leastMs = 3000;
/** What one batch of validation takes where the run has time enough. */
const batchMs = 120_000;
/** What localising may take at most. */
const localiseMs = 600_000;

/**
 * Test-guided repair as a rule: localise, propose, validate in batches, apply the best patch, verify; the next best one
 * when that did not pass. With plausible patches in hand, the time to apply and verify one is kept back. Always the same
 * step for the same history, so a run can be taken up anywhere.
 */
export function nextRepairStep(history: RepairHistory): RepairStep {
  const { checkId } = history;
  const localised = latest(history, toolNames.localiseFault);
  if (localised === undefined) {
    return call('localise', toolNames.localiseFault, { checkId, ...budgetOf(history, localiseMs) });
  }
  const localisation = structuredOf(localised, Localisation);
  if (localisation === undefined) return giveUpOn(localised, 'The failing tests could not be traced to code.');
  if (localisation.failing.length === 0) return nothingStable(localisation.unstable);
  const { localisationId } = localisation;
  const proposed = latest(history, toolNames.proposePatches);
  if (proposed === undefined) return call('propose', toolNames.proposePatches, { localisationId });
  const proposal = structuredOf(proposed, Proposal);
  if (proposal === undefined) return giveUpOn(proposed, 'No patches could be proposed.');
  const { left } = localisation;
  if (proposal.count === 0) return giveUp('No operator of test-guided repair applies to the suspected lines.', left);
  const { proposalId } = proposal;
  const batches = outcomesOf(history, toolNames.validatePatch);
  const last = batches.at(-1);
  const validation = last === undefined ? undefined : structuredOf(last, Validation);
  if (last !== undefined && validation === undefined) return giveUpOn(last, 'The proposed patches could not be tried.');
  const plausible = plausiblePatches(history);
  const most = plausible.length > 0 ? mostBatchesWithPlausible : mostBatches;
  const budget = budgetOf(history, batchMs);
  if (validation?.exhausted === true || batches.length >= most) return applyOrVerify(history, plausible, left);
  if (budget.budgetMs === undefined || budget.budgetMs >= leastMs)
    return call('validate', toolNames.validatePatch, { proposalId, ...budget });
  return plausible.length > 0
    ? applyOrVerify(history, plausible, left)
    : outOfTime(validation?.tried ?? 0, proposal.count);
}

/** The time that a call gets: what is left without what verifying takes; nothing is said where it has its usual time. */
function budgetOf({ time }: RepairHistory, usualMs: number): { readonly budgetMs?: number } {
  if (time === undefined || time.leftMs - time.reserveMs >= usualMs) return {};
  return { budgetMs: Math.max(1000, Math.floor(time.leftMs - time.reserveMs)) };
}

function outOfTime(tried: number, count: number): RepairStep {
  const message = `The time of this run is spent: ${tried} of ${count} proposed patches were tried, and none of them passed.`;
  const hint = 'Give the run more time with --timeout.';
  return { kind: 'give-up', failure: { level: 'fatal', code: 'budget-spent', message, hint } };
}

function applyOrVerify(
  history: RepairHistory,
  plausible: readonly PlausiblePatch[],
  left: readonly string[],
): RepairStep {
  const applied = currentPatch(history);
  if (applied !== undefined) return { kind: 'verify' };
  const best = plausible.find((patch) => !history.tried.includes(patch.patchId) && !wasRefused(history, patch));
  if (best !== undefined) return call('apply', toolNames.editFiles, { edits: best.edits });
  if (plausible.length === 0)
    return giveUp('None of the proposed patches makes a failing test pass without breaking another.', left);
  return giveUp('None of the plausible patches passed the final verification.', left);
}

/** The plausible patches, best first: each batch ranks everything that was judged so far. */
function plausiblePatches(history: RepairHistory): PlausiblePatch[] {
  const last = latest(history, toolNames.validatePatch);
  const validation = last === undefined ? undefined : structuredOf(last, Validation);
  return [...(validation?.plausible ?? [])].sort((first, second) => first.rank - second.rank);
}

/** The patch that is in the workspace and has not been judged yet. */
export function currentPatch(history: RepairHistory): PlausiblePatch | undefined {
  return plausiblePatches(history).find(
    (patch) =>
      !history.tried.includes(patch.patchId) &&
      editsWith(history, patch).some(({ outcome }) => outcome !== undefined && failureOf(outcome) === undefined),
  );
}

function wasRefused(history: RepairHistory, patch: PlausiblePatch): boolean {
  return editsWith(history, patch).some(({ outcome }) => outcome !== undefined && failureOf(outcome) !== undefined);
}

function editsWith({ records }: RepairHistory, patch: PlausiblePatch): CallRecord[] {
  const text = canonicalJson(patch.edits);
  return records.filter(
    ({ call }) => call.name === toolNames.editFiles && canonicalJson(call.arguments.edits ?? []) === text,
  );
}

function outcomesOf({ records }: RepairHistory, name: string) {
  return records.flatMap(({ call: made, outcome }) => (made.name === name && outcome !== undefined ? [outcome] : []));
}

function latest(history: RepairHistory, name: string) {
  return outcomesOf(history, name).at(-1);
}

function call(stage: RepairStage, name: string, args: Record<string, unknown>): RepairStep {
  return { kind: 'call', stage, name, arguments: args };
}

function nothingStable(unstable: readonly string[]): RepairStep {
  if (unstable.length === 0) return giveUp('The failing tests passed when they were run on their own.');
  const message = `The failing tests are unstable: they pass and fail without any change (${unstable.slice(0, 5).join(', ')}).`;
  const hint = 'Make these tests give the same result each time; then run again.';
  return { kind: 'give-up', failure: { level: 'fatal', code: 'tests-unstable', message, hint } };
}

const unsolvedHint = 'Fix it by hand, or configure a chat model; the tests and the suspected lines are in the log.';

const shownFiles = 5;

/** `left` are suspected files that no patch may change: the bug may well be there. */
function giveUp(message: string, left: readonly string[] = []): RepairStep {
  const files = left.slice(0, shownFiles).join(', ');
  const note = left.length === 0 ? '' : ` Suspected too, but left out as the configuration protects them: ${files}.`;
  const hint =
    left.length === 0
      ? unsolvedHint
      : `${unsolvedHint} \`protect\` in the configuration keeps files from being changed.`;
  return { kind: 'give-up', failure: { level: 'fatal', code: 'unsolved', message: `${message}${note}`, hint } };
}

function giveUpOn(outcome: Parameters<typeof failureOf>[0], message: string): RepairStep {
  const failure = failureOf(outcome);
  if (failure === undefined) return giveUp(message);
  const hint = failure.hint ?? unsolvedHint;
  // A wrong argument of ours is not the person's: for them the bug is unsolved.
  const code = failure.level === 'param' && failure.code === 'usage' ? 'unsolved' : failure.code;
  return {
    kind: 'give-up',
    failure: { ...failure, level: 'fatal', code, message: `${message} ${failure.message}`, hint },
  };
}
