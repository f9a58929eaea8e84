import { generateInputs } from './generate-inputs.ts';
import { instrumentedEdits } from './instrumented-edits.ts';
import type { Candidate } from './propose-patches.ts';
import { commonOf, cpuOf, limitOf, runStep, type Session } from './validation-session.ts';

export interface Explored {
  /** What each patch answers to the inputs, by its id. */
  readonly outcomes: ReadonlyMap<string, readonly string[]>;
  /** What the unpatched program answers. */
  readonly base: readonly string[];
  readonly inputs: readonly { readonly name: string; readonly args: readonly unknown[] }[];
  readonly cpuMs: number;
}

const BASE = 'base';
const CANDIDATE_MS = 4000;

/** Gives plausible candidates, and the unpatched program, further inputs. */
export async function exploreCandidates(session: Session, candidates: readonly Candidate[]): Promise<Explored> {
  const inputs = generateInputs(session.baseline.calls);
  if (candidates.length === 0 || inputs.length === 0) return { outcomes: new Map(), base: [], inputs: [], cpuMs: 0 };
  const { prepared, baseline } = session;
  const own = candidates.map(({ patch }) => ({ id: patch.id, edits: instrumentedEdits(prepared, patch) }));
  const lines = await runStep(session, {
    kind: 'explore',
    name: 'explore',
    ...commonOf(session),
    texts: prepared.texts,
    probes: prepared.probes.length,
    candidates: [{ id: BASE, edits: [] }, ...own],
    calls: inputs,
    stepLimit: limitOf(baseline),
    timeoutMs: CANDIDATE_MS,
  });
  const outcomes = new Map<string, readonly string[]>();
  for (const line of lines) {
    if (line.kind === 'explore' && Array.isArray(line.outcomes))
      outcomes.set(String(line.id), line.outcomes as string[]);
  }
  return { outcomes, base: outcomes.get(BASE) ?? [], inputs, cpuMs: cpuOf(lines) };
}
