import type { Patch } from '@capstan/contracts';
import type { Session } from './validation-session.ts';

/**
 * Test files whose tests reach what a patch changes, by the coverage of the unpatched program, in the baseline's order;
 * all of them where that is unknown, as for code that runs while modules load.
 */
export function coveringFiles({ baseline, prepared }: Session, patch: Patch): readonly string[] {
  const touched = new Set(patch.edits.flatMap((edit) => innermostProbe(prepared.probes, edit.path, edit.offset)));
  if (touched.size < new Set(patch.edits.map(({ path, offset }) => `${path}:${offset}`)).size) return baseline.files;
  if (baseline.load.some((id) => touched.has(id))) return baseline.files;
  const fileOf = new Map(baseline.tests.map(({ id, file }) => [id, file]));
  const watched = new Set(baseline.coverage.map(({ id }) => fileOf.get(id)));
  const reaching = new Set(
    baseline.coverage.flatMap(({ id, hits }) => (hits.some((hit) => touched.has(hit)) ? [fileOf.get(id)] : [])),
  );
  return baseline.files.filter((file) => reaching.has(file) || !watched.has(file));
}

interface Place {
  readonly id: number;
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** The smallest place that contains an offset: whoever runs the changed text has been there. */
function innermostProbe(probes: readonly Place[], path: string, offset: number): number[] {
  let best: Place | undefined;
  for (const probe of probes) {
    if (probe.path !== path || probe.start > offset || probe.end < offset) continue;
    if (best === undefined || probe.end - probe.start <= best.end - best.start) best = probe;
  }
  return best === undefined ? [] : [best.id];
}
