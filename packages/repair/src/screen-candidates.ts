import { testsWith } from './baseline.ts';
import { confirmStep } from './confirm-candidates.ts';
import { instrumentedEdits } from './instrumented-edits.ts';
import { judgeFiles } from './judge-files.ts';
import type { Candidate } from './propose-patches.ts';
import { failingFiles } from './reproduce.ts';
import type { DriverLine } from './run-job.ts';
import {
  announce,
  commonOf,
  cpuOf,
  limitOf,
  reserveOf,
  runStep,
  type Session,
  timeLeft,
} from './validation-session.ts';

/** A candidate that passed the screening. */
export interface Passed {
  readonly candidate: Candidate;
  readonly fixed: readonly string[];
  /** Probes that its tests reached; absent where candidates run in processes of their own. */
  readonly reached?: readonly number[];
}

export interface Screened {
  readonly judged: readonly string[];
  readonly passed: readonly Passed[];
  readonly firstCpuMs?: number;
  readonly cpuMs: number;
}

const PATIENCE = 4;
const SCREEN_MS = 4000;
/** Tests that start programs or look around depend on the folder in which they run. */
const FOLDER_BOUND = /child_process|cwd\(|execa|chdir/;

/** Judges candidates quickly: in the shared harness where the baseline allows it, else by the files with failing tests. */
export async function screenCandidates(session: Session, candidates: readonly Candidate[]): Promise<Screened> {
  return session.baseline.harness === 'isolated'
    ? await screenAlone(session, candidates)
    : await screenTogether(session, candidates);
}

async function screenTogether(session: Session, candidates: readonly Candidate[]): Promise<Screened> {
  const verdicts = new Map<string, DriverLine>();
  let passing = 0;
  const lines = await runStep(session, screenStep(session, candidates), (line) => {
    if (line.kind !== 'screen') return;
    verdicts.set(String(line.id), line);
    if (isPass(line)) passing += 1;
    if (verdicts.size % 50 === 0) announce(session, verdicts.size, candidates.length, passing);
  });
  const passed = candidates.flatMap((candidate): Passed[] => {
    const line = verdicts.get(candidate.patch.id);
    if (line === undefined || !isPass(line)) return [];
    const reached = line.reached as number[] | undefined;
    return [{ candidate, fixed: line.fixed as string[], ...(reached === undefined ? {} : { reached }) }];
  });
  const first = lines.find((line) => line.kind === 'screen' && isPass(line));
  const base = { judged: [...verdicts.keys()], passed, cpuMs: cpuOf(lines) };
  return first === undefined ? base : { ...base, firstCpuMs: Number(first.cpuMs) };
}

function screenStep(session: Session, candidates: readonly Candidate[]): object {
  const { baseline, prepared } = session;
  const misjudged = new Set(baseline.misjudged);
  const failing = testsWith(baseline, 'failed').filter((id) => !misjudged.has(id));
  return {
    kind: 'screen',
    name: 'screen',
    ...commonOf(session),
    texts: prepared.texts,
    probes: prepared.probes.length,
    candidates: candidates.map((candidate) => ({
      id: candidate.patch.id,
      edits: instrumentedEdits(prepared, candidate.patch),
      targets: candidate.targets.length === 0 ? failing : candidate.targets,
    })),
    files: baseline.files,
    failing,
    ignored: [...testsWith(baseline, 'unstable'), ...testsWith(baseline, 'skipped'), ...misjudged],
    patience: PATIENCE,
    firstStepLimit: firstLimitOf(session),
    stepLimit: limitOf(baseline),
    baseStepLimit: limitOf(baseline),
    timeoutMs: SCREEN_MS + 3 * baseline.observedMs,
    baseTimeoutMs: 30_000 + 3 * baseline.observedMs,
    reserveMs: reserveOf(session, timeLeft(session)),
    ownFolder: session.modules.tests.some((file) => FOLDER_BOUND.test(file.text)),
  };
}

/** Enough for most candidates: ten times what the tests that pass need. */
function firstLimitOf({ baseline }: Session): number {
  const needed = baseline.coverage.filter(({ failed }) => !failed).map(({ steps }) => steps);
  return 20_000 + 10 * Math.max(0, ...needed);
}

function isPass(line: DriverLine): boolean {
  return (
    line.lost === undefined && line.broken === undefined && ((line.fixed as string[] | undefined) ?? []).length > 0
  );
}

/** One process per candidate and file, only the files with failing tests. */
async function screenAlone(session: Session, candidates: readonly Candidate[]): Promise<Screened> {
  const files = failingFiles(session.baseline);
  const byId = new Map(candidates.map((candidate) => [candidate.patch.id, candidate]));
  const passed = new Map<string, Passed>();
  const judged: string[] = [];
  let firstCpuMs: number | undefined;
  const order = candidates.map((candidate) => ({ candidate, files }));
  const reserveMs = reserveOf(session, timeLeft(session));
  const lines = await runStep(session, { ...confirmStep(session, order), reserveMs }, (line) => {
    if (line.kind !== 'confirm') return;
    const id = String(line.id);
    judged.push(id);
    const fixed = judgeFiles(session.baseline, line, files) ?? [];
    const candidate = byId.get(id);
    if (fixed.length > 0 && candidate !== undefined) {
      passed.set(id, { candidate, fixed });
      firstCpuMs ??= Number(line.cpuMs ?? 0);
    }
    if (judged.length % 10 === 0) announce(session, judged.length, candidates.length, passed.size);
  });
  const inOrder = candidates.flatMap(({ patch }) => passed.get(patch.id) ?? []);
  const base = { judged, passed: inOrder, cpuMs: cpuOf(lines) };
  return firstCpuMs === undefined ? base : { ...base, firstCpuMs };
}
