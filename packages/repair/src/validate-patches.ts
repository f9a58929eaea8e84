import type { Patch } from '@capstan/contracts';
import type { Baseline } from './baseline.ts';
import { type Confirmed, confirmCandidates, passesWhole } from './confirm-candidates.ts';
import { whatItDisables } from './disabling-patches.ts';
import { exploreCandidates } from './explore-candidates.ts';
import { prepareTexts } from './prepare-texts.ts';
import type { Candidate } from './propose-patches.ts';
import { rankPatches } from './rank-patches.ts';
import type { WorkspaceModules } from './read-workspace.ts';
import type { RepairDeps } from './repair-deps.ts';
import { type Passed, screenCandidates } from './screen-candidates.ts';
import type { Session } from './validation-session.ts';

export interface ValidateOptions {
  /** Candidates judged at the same time; 2 by default. */
  readonly parallel?: number;
  /** Wall time for all of it; 120 s by default. */
  readonly milliseconds?: number;
  /** At most so many plausible candidates are confirmed; 24 by default. */
  readonly confirmations?: number;
}

/** A patch that fixes at least one failing test and breaks none. */
export interface PlausiblePatch {
  readonly patch: Patch;
  readonly fixes: readonly string[];
  /** What further inputs gave, one text each; empty where none could be tried. */
  readonly outcomes: readonly string[];
  /** True when every test file was run; otherwise those that reach the change, and no other. */
  readonly whole: boolean;
  /** In words, when the patch looks as if it took something away rather than mended it. */
  readonly disables?: string;
}

export interface Validation {
  /** Ids of the patches that were judged. */
  readonly judged: readonly string[];
  /** Patches that passed the screening but were not confirmed, because there were better ones enough. */
  readonly unconfirmed: number;
  /** False when time ran out before all candidates were judged. */
  readonly complete: boolean;
  readonly plausible: readonly PlausiblePatch[];
  /** How the unpatched program answers the further inputs. */
  readonly baseOutcomes: readonly string[];
  /** The further inputs, to show where patches differ. */
  readonly inputs: readonly { readonly name: string; readonly args: readonly unknown[] }[];
  /** CPU milliseconds in the sandbox until the first candidate passed its tests; absent if none did. */
  readonly firstCpuMs?: number;
  readonly cpuMs: number;
}

/** How many of the best patches have to pass the whole suite before they are shown. */
const WHOLE = 3;

/**
 * Judges candidates by the tests, in the sandbox, and ends with its time. Where the baseline allows it they are screened many to a process,
 * with a limit of steps; each that passes is confirmed under node:test itself in fresh processes, whose reports tested
 * code cannot forge: the failing files first, then those that reach the change, for the few best the whole suite. A
 * candidate that hangs, crashes, exits or eats memory fails, and the next one is not affected.
 */
export async function validatePatches(
  deps: RepairDeps,
  modules: WorkspaceModules,
  baseline: Baseline,
  candidates: readonly Candidate[],
  options: ValidateOptions = {},
): Promise<Validation> {
  const prepared = prepareTexts(modules, deps.runtimeInside);
  const deadline = performance.now() + (options.milliseconds ?? 120_000);
  const session: Session = { deps, modules, baseline, prepared, parallel: options.parallel ?? 2, deadline };
  const screened = await screenCandidates(session, candidates);
  const chosen = preferred(session, screened.passed).slice(0, options.confirmations ?? 24);
  const { confirmed, unfinished, cpuMs } = await confirmCandidates(session, chosen);
  const judged = screened.judged.filter((id) => !unfinished.has(id));
  const explored = await exploreCandidates(
    session,
    confirmed.map(({ passed }) => passed.candidate),
  );
  const found = confirmed.map((one) => ({
    one,
    patch: plausibleOf(session, one, explored.outcomes.get(one.passed.candidate.patch.id) ?? []),
  }));
  const seen = { baseOutcomes: explored.base, inputs: explored.inputs };
  return {
    judged,
    unconfirmed: screened.passed.length - chosen.length,
    complete: judged.length === candidates.length,
    plausible: await withWholeSuite(session, found, seen),
    ...seen,
    ...(screened.firstCpuMs === undefined ? {} : { firstCpuMs: screened.firstCpuMs }),
    cpuMs: screened.cpuMs + cpuMs + explored.cpuMs,
  };
}

/** Those that fix most come first, and those that take something away last; among equals the order of proposal stays. */
function preferred(session: Session, passed: readonly Passed[]): Passed[] {
  const rank = new Map(passed.map((one) => [one, whatItDisables(session, one) === undefined ? 0 : 1]));
  const rankOf = (one: Passed): number => rank.get(one) ?? 0;
  return [...passed].sort(
    (first, second) => rankOf(first) - rankOf(second) || second.fixed.length - first.fixed.length,
  );
}

function plausibleOf(session: Session, one: Confirmed, outcomes: readonly string[]): PlausiblePatch {
  const whole = session.baseline.files.every((file) => one.files.includes(file));
  const disables = whatItDisables(session, one.passed);
  const { patch } = one.passed.candidate;
  return { patch, fixes: one.fixes, outcomes, whole, ...(disables === undefined ? {} : { disables }) };
}

interface Found {
  readonly one: Confirmed;
  readonly patch: PlausiblePatch;
}

/** Runs the rest of the suite for the best ones until a few have passed it; what fails there is not plausible. */
async function withWholeSuite(
  session: Session,
  found: readonly Found[],
  seen: Pick<Validation, 'baseOutcomes' | 'inputs'>,
): Promise<PlausiblePatch[]> {
  const ranked = rankPatches({ plausible: found.map(({ patch }) => patch), ...seen }).patches;
  const verdicts = new Map<string, PlausiblePatch | undefined>();
  let passed = 0;
  for (const { patch } of ranked) {
    const own = found.find((one) => one.patch.patch.id === patch.id);
    if (own === undefined || passed >= WHOLE) continue;
    const verdict = own.patch.whole ? true : await passesWhole(session, own.one);
    if (verdict === undefined) break;
    if (verdict) passed += 1;
    verdicts.set(patch.id, verdict ? { ...own.patch, whole: true } : undefined);
  }
  return found.flatMap(({ patch }) => {
    const verdict = verdicts.has(patch.patch.id) ? verdicts.get(patch.patch.id) : patch;
    return verdict === undefined ? [] : [verdict];
  });
}
