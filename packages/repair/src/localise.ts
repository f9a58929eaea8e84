import type { Baseline, TestCoverage } from './baseline.ts';
import type { Probe } from './instrument.ts';
import { prepareTexts } from './prepare-texts.ts';
import { importedByTests, type WorkspaceModules } from './read-workspace.ts';

/** A place of the program and how much the tests speak against it. */
export interface Location {
  readonly path: string;
  readonly line: number;
  /** Offsets of the place in the text. */
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly suspicion: number;
  /** Failing tests that reach it: only these can be fixed by changing it. Empty where that is unknown. */
  readonly failing: readonly string[];
}

/** What code that only runs while modules load gets: no test tells it apart. */
const LOAD_SUSPICION = 0.15;
const UNKNOWN_SUSPICION = 0.2;
/** Files that tests do not import can still be reached, by other processes or under the package's own name. */
const NOT_IMPORTED = 0.5;

/**
 * Places ordered by suspicion (Ochiai: failing tests that reach the place, over the root of all failing tests times
 * all tests that reach it). Where no failing test reached a probe, as with tests that start other processes, every
 * function of the sources is weakly suspicious, those in files that tests import before all others.
 */
export function localise(baseline: Baseline, modules: WorkspaceModules, runtimeInside: string): Location[] {
  const { probes } = prepareTexts(modules, runtimeInside);
  const failing = baseline.coverage.filter((test) => test.failed);
  if (!failing.some((test) => test.hits.length > 0)) return unknown(probes, modules);
  const spectrum = spectrumOf(baseline.coverage);
  const load = new Set(baseline.load);
  const locations = probes.flatMap((probe): Location[] => {
    const found = spectrum.get(probe.id);
    if (found !== undefined && found.failing.length > 0) {
      return [{ ...placeOf(probe), suspicion: ochiai(found, failing.length), failing: found.failing }];
    }
    return load.has(probe.id) ? [{ ...placeOf(probe), suspicion: LOAD_SUSPICION, failing: [] }] : [];
  });
  return locations.sort(bySuspicion);
}

function placeOf({ path, line, start, end }: Probe): Omit<Location, 'suspicion' | 'failing'> {
  return { path, line, start, end };
}

function unknown(probes: readonly Probe[], modules: WorkspaceModules): Location[] {
  const imported = importedByTests(modules);
  const locations = probes.map((probe): Location => {
    const suspicion = UNKNOWN_SUSPICION * (imported.has(probe.path) ? 1 : NOT_IMPORTED);
    return { ...placeOf(probe), suspicion, failing: [] };
  });
  return locations.sort(bySuspicion);
}

interface Reached {
  readonly failing: string[];
  passing: number;
}

function spectrumOf(coverage: readonly TestCoverage[]): Map<number, Reached> {
  const spectrum = new Map<number, Reached>();
  for (const test of coverage) {
    for (const id of test.hits) {
      const reached = spectrum.get(id) ?? { failing: [], passing: 0 };
      if (test.failed) reached.failing.push(test.id);
      else reached.passing += 1;
      spectrum.set(id, reached);
    }
  }
  return spectrum;
}

/** Suspicion from counts, as published by Ochiai and used for faults by Abreu and others; 0 to 1. */
export function ochiai(reached: { failing: readonly unknown[]; passing: number }, allFailing: number): number {
  const own = reached.failing.length;
  const denominator = Math.sqrt(allFailing * (own + reached.passing));
  return denominator === 0 ? 0 : own / denominator;
}

function bySuspicion(first: Location, second: Location): number {
  if (first.suspicion !== second.suspicion) return second.suspicion - first.suspicion;
  if (first.path !== second.path) return first.path < second.path ? -1 : 1;
  return first.start - second.start;
}
