import type { PlausiblePatch, Validation } from './validate-patches.ts';

export interface RankedPatch extends PlausiblePatch {
  /** From 1. */
  readonly rank: number;
  /** Patches of one group gave the same answers to all inputs that were tried; groups are numbered by rank. */
  readonly group: number;
}

/** An input on which two groups differ: what a test must pin down. */
export interface Distinguishing {
  readonly groups: readonly [number, number];
  /** A call, as one would write it. */
  readonly input: string;
  readonly outcomes: readonly [string, string];
}

/** What ranking needs to know of a validation. */
export type Judged = Pick<Validation, 'plausible' | 'baseOutcomes' | 'inputs'>;

export interface Ranking {
  readonly patches: readonly RankedPatch[];
  readonly distinguishing: readonly Distinguishing[];
}

/** Outcomes that speak against a patch when others do not have them. */
const BAD = /^(endless|throws )|undefined|NaN/;
const ARGUMENTS_KEPT = / \| same$/;
const BAD_WEIGHT = 2;

/**
 * Orders plausible patches: those that look as if they took something away last; those that fix more tests first; then by promise (suspicion times prior), lowered by
 * answers to further inputs that look broken, or that change the caller's arguments, where other patches give sound ones. Equal behaviour forms a group.
 */
export function rankPatches(validation: Judged): Ranking {
  const sound = soundInputs(validation);
  const { baseOutcomes } = validation;
  const scored = validation.plausible.map((plausible) => ({
    plausible,
    score: scoreOf(plausible, sound, baseOutcomes),
  }));
  scored.sort(
    (first, second) =>
      disabling(first.plausible) - disabling(second.plausible) ||
      second.plausible.fixes.length - first.plausible.fixes.length ||
      second.score - first.score ||
      sizeOf(first.plausible) - sizeOf(second.plausible) ||
      (first.plausible.patch.id < second.plausible.patch.id ? -1 : 1),
  );
  const groups = new Map<string, number>();
  const patches = scored.map(({ plausible }, index): RankedPatch => {
    const key = behaviourOf(plausible);
    const group = groups.get(key) ?? groups.size + 1;
    groups.set(key, group);
    return { ...plausible, rank: index + 1, group };
  });
  return { patches, distinguishing: differences(patches, validation) };
}

function disabling({ disables }: PlausiblePatch): number {
  return disables === undefined ? 0 : 1;
}

/** Without further inputs nothing is known beyond the tests, so that each patch stands for itself. */
function behaviourOf({ fixes, outcomes, patch }: PlausiblePatch): string {
  return JSON.stringify([fixes, outcomes.length === 0 ? patch.id : outcomes]);
}

/** Indices of inputs that at least one patch answers soundly. */
function soundInputs({ plausible, inputs }: Judged): number[] {
  return inputs.flatMap((_, index) =>
    plausible.some(({ outcomes }) => outcomes[index] !== undefined && !BAD.test(outcomes[index])) ? [index] : [],
  );
}

function scoreOf({ patch, outcomes }: PlausiblePatch, sound: readonly number[], base: readonly string[]): number {
  const bad = sound.filter((index) => isBad(outcomes[index] ?? '', base[index] ?? '')).length;
  const share = sound.length === 0 ? 0 : bad / sound.length;
  return patch.suspicion * patch.prior * Math.max(0, 1 - BAD_WEIGHT * share);
}

/** A patch that begins to change what its caller passed in does more than its tests ask for. */
function isBad(outcome: string, base: string): boolean {
  return BAD.test(outcome) || (ARGUMENTS_KEPT.test(base) && !ARGUMENTS_KEPT.test(outcome));
}

function sizeOf({ patch }: PlausiblePatch): number {
  return patch.edits.reduce((sum, edit) => sum + Math.abs(edit.after.length - edit.before.length), 0);
}

function differences(patches: readonly RankedPatch[], { inputs }: Judged): Distinguishing[] {
  const first = patches[0];
  if (first === undefined) return [];
  const others = patches.filter((patch, index) => {
    return patch.group !== first.group && patches.findIndex((one) => one.group === patch.group) === index;
  });
  return others.slice(0, 5).flatMap((other): Distinguishing[] => {
    const at = inputs.findIndex((_, index) => first.outcomes[index] !== other.outcomes[index]);
    const input = inputs[at];
    if (input === undefined) return [];
    const call = `${input.name}(${input.args.map((argument) => JSON.stringify(argument)).join(', ')})`;
    const outcomes: [string, string] = [shown(first.outcomes[at]), shown(other.outcomes[at])];
    return [{ groups: [first.group, other.group], input: call, outcomes }];
  });
}

/** The returned value alone: what follows describes the arguments afterwards. */
function shown(outcome = ''): string {
  return (outcome.split(' | ')[0] ?? '').slice(0, 200);
}
