import { coveringFiles } from './covering-files.ts';
import { plainEdits } from './instrumented-edits.ts';
import { judgeFiles } from './judge-files.ts';
import type { Candidate } from './propose-patches.ts';
import { modulePaths } from './read-workspace.ts';
import { failingFiles } from './reproduce.ts';
import type { DriverLine } from './run-job.ts';
import type { Passed } from './screen-candidates.ts';
import { commonOf, cpuOf, idsByFile, reserveOf, runStep, type Session, timeLeft } from './validation-session.ts';

/** A candidate that passed the files with failing tests and those that reach what it changes, each by itself. */
export interface Confirmed {
  readonly passed: Passed;
  readonly fixes: readonly string[];
  /** Files that were run. */
  readonly files: readonly string[];
}

export interface Confirmation {
  readonly confirmed: readonly Confirmed[];
  /** Candidates for which there was no time: without a verdict, so that a later call takes them up. */
  readonly unfinished: ReadonlySet<string>;
  readonly cpuMs: number;
}

const FILE_MS = 20_000;
const TIMES = 3;
/** Suites of a few files are run whole at once. */
const FEW_FILES = 3;

/** Runs candidates under node:test itself, the failing files first, and stops each at its first regression. */
export async function confirmCandidates(session: Session, passed: readonly Passed[]): Promise<Confirmation> {
  const order = passed.map((one) => ({ ...one, files: filesFor(session, one) }));
  const hadTime = timeLeft(session) >= reserveOf(session, Number.POSITIVE_INFINITY);
  const ended = await runFiles(session, order);
  const confirmed = order.flatMap((one): Confirmed[] => {
    const line = ended.lines.get(one.candidate.patch.id);
    const fixes = line === undefined ? undefined : judgeFiles(session.baseline, line, one.files);
    return fixes === undefined || fixes.length === 0 ? [] : [{ passed: one, fixes, files: one.files }];
  });
  // Where not even one came to its end in good time, those that were begun count as judged: else they would be begun for ever.
  const begun = hadTime && ended.lines.size === 0 ? session.parallel : 0;
  const left = passed.slice(begun).filter(({ candidate }) => !ended.lines.has(candidate.patch.id));
  return { confirmed, unfinished: new Set(left.map(({ candidate }) => candidate.patch.id)), cpuMs: ended.cpuMs };
}

/** Whether the files that a confirmed candidate has not run yet pass as before; undefined where time ran out. */
export async function passesWhole(session: Session, { passed, files }: Confirmed): Promise<boolean | undefined> {
  const rest = session.baseline.files.filter((file) => !files.includes(file));
  if (rest.length === 0) return true;
  const ended = await runFiles(session, [{ ...passed, files: rest }]);
  const line = ended.lines.get(passed.candidate.patch.id);
  return line === undefined ? undefined : judgeFiles(session.baseline, line, rest) !== undefined;
}

function filesFor(session: Session, { candidate, fixed }: Passed): string[] {
  const { baseline } = session;
  if (baseline.files.length <= FEW_FILES) return [...baseline.files];
  const fixedFiles = new Set(baseline.tests.filter(({ id }) => fixed.includes(id)).map(({ file }) => file));
  const failing = failingFiles(baseline);
  const first = [...failing.filter((file) => fixedFiles.has(file)), ...failing];
  return [...new Set([...first, ...coveringFiles(session, candidate.patch)])];
}

interface Ordered {
  readonly candidate: Candidate;
  readonly files: readonly string[];
}

interface Ended {
  /** The result of each candidate that came to its end, by its id. */
  readonly lines: ReadonlyMap<string, DriverLine>;
  readonly cpuMs: number;
}

async function runFiles(session: Session, order: readonly Ordered[]): Promise<Ended> {
  if (order.length === 0) return { lines: new Map(), cpuMs: 0 };
  const found = await runStep(session, confirmStep(session, order));
  const lines = new Map(found.filter((line) => line.kind === 'confirm').map((line) => [String(line.id), line]));
  return { lines, cpuMs: cpuOf(found) };
}

/** The driver's step that runs each candidate on its files. */
export function confirmStep(session: Session, order: readonly Ordered[]): object {
  const { baseline, modules } = session;
  const edited = new Set(order.flatMap(({ candidate }) => candidate.patch.edits.map((edit) => edit.path)));
  const texts: Record<string, string> = {};
  for (const { path, text } of modules.sources) if (edited.has(path)) texts[path] = text;
  return {
    kind: 'confirm',
    name: 'confirm',
    ...commonOf(session),
    texts,
    modules: modulePaths(modules),
    passing: idsByFile(baseline, 'passed'),
    failing: idsByFile(baseline, 'failed'),
    candidates: order.map(({ candidate: { patch }, files }) => ({ id: patch.id, edits: plainEdits(patch), files })),
    timeoutMs: FILE_MS + TIMES * Math.max(0, ...Object.values(baseline.fileMs)),
  };
}
