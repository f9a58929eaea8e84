import type { Patch } from '@capstan/contracts';
import { type Baseline, testsWith } from './baseline.ts';
import { generateInputs } from './generate-inputs.ts';
import { type Instrumented, render } from './instrument.ts';
import { type PreparedTexts, prepareTexts } from './prepare-texts.ts';
import type { Candidate } from './propose-patches.ts';
import type { WorkspaceModules } from './read-workspace.ts';
import type { RepairDeps } from './repair-deps.ts';
import { nodeFlagsOf, stepLimit } from './reproduce.ts';
import { type DriverLine, runJob } from './run-job.ts';
import { numberTwins, testId } from './test-id.ts';

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

const MEMORY_MB = 512;
const PATIENCE = 4;
const ALONE_MS = 20_000;
const SCREEN_MS = 4000;
/** Tests that start programs or look around depend on the folder in which they run. */
const FOLDER_BOUND = /child_process|cwd\(|execa|chdir/;

interface Session {
  readonly deps: RepairDeps;
  readonly modules: WorkspaceModules;
  readonly baseline: Baseline;
  readonly prepared: PreparedTexts;
  readonly parallel: number;
  readonly deadline: number;
}

/**
 * Judges candidates by the tests, in the sandbox. Where the baseline allows it they are screened many to a process,
 * with a limit of steps; each that passes is confirmed under node:test itself in a fresh process, whose report tested
 * code cannot forge. A candidate that hangs, crashes, exits or eats memory fails, and the next one is not affected.
 */
export async function validatePatches(
  deps: RepairDeps,
  modules: WorkspaceModules,
  baseline: Baseline,
  candidates: readonly Candidate[],
  options: ValidateOptions = {},
): Promise<Validation> {
  const session: Session = {
    deps,
    modules,
    baseline,
    prepared: prepareTexts(modules, deps.runtimeInside),
    parallel: options.parallel ?? 2,
    deadline: performance.now() + (options.milliseconds ?? 120_000),
  };
  const screened = await screenAll(session, candidates);
  const chosen = preferred(screened.passed).slice(0, options.confirmations ?? 24);
  const { confirmed, unfinished } = await confirmAll(session, chosen);
  const judged = screened.judged.filter((id) => !unfinished.has(id));
  const explored = await exploreAll(
    session,
    confirmed.map(({ candidate }) => candidate),
  );
  return {
    judged,
    unconfirmed: screened.passed.length - chosen.length,
    complete: judged.length === candidates.length,
    plausible: confirmed.map(({ candidate, fixes }) => ({
      patch: candidate.patch,
      fixes,
      outcomes: explored.outcomes.get(candidate.patch.id) ?? [],
    })),
    baseOutcomes: explored.outcomes.get(BASE) ?? [],
    inputs: explored.inputs,
    ...(screened.firstCpuMs === undefined ? {} : { firstCpuMs: screened.firstCpuMs }),
    cpuMs: screened.cpuMs + confirmed.reduce((sum, one) => sum + one.cpuMs, 0) + explored.cpuMs,
  };
}

interface Passed {
  readonly candidate: Candidate;
  readonly fixed: number;
}

/** Those that fix most come first; among equals the order of proposal stays. */
function preferred(passed: readonly Passed[]): Candidate[] {
  return [...passed].sort((first, second) => second.fixed - first.fixed).map(({ candidate }) => candidate);
}

interface Screened {
  readonly judged: readonly string[];
  readonly passed: readonly Passed[];
  readonly firstCpuMs?: number;
  readonly cpuMs: number;
}

async function screenAll(session: Session, candidates: readonly Candidate[]): Promise<Screened> {
  if (session.baseline.harness === 'isolated') return await screenAlone(session, candidates);
  const misjudged = new Set(session.baseline.misjudged);
  const failing = testsWith(session.baseline, 'failed').filter((id) => !misjudged.has(id));
  const ordered = [...candidates];
  const verdicts = new Map<string, DriverLine>();
  let passing = 0;
  const onLine = (line: DriverLine): void => {
    if (line.kind !== 'screen') return;
    verdicts.set(String(line.id), line);
    if (isPass(line)) passing += 1;
    if (verdicts.size % 50 === 0) announce(session, verdicts.size, ordered.length, passing);
  };
  const step = {
    kind: 'screen',
    name: 'screen',
    ...commonOf(session),
    texts: session.prepared.texts,
    probes: session.prepared.probes.length,
    candidates: ordered.map((candidate) => ({
      id: candidate.patch.id,
      edits: editsOf(session.prepared, candidate.patch),
      targets: candidate.targets.length === 0 ? failing : candidate.targets,
    })),
    files: session.baseline.files,
    failing,
    ignored: [...testsWith(session.baseline, 'unstable'), ...testsWith(session.baseline, 'skipped'), ...misjudged],
    patience: PATIENCE,
    firstStepLimit: firstLimitOf(session.baseline),
    stepLimit: limitOf(session.baseline),
    baseStepLimit: limitOf(session.baseline),
    timeoutMs: SCREEN_MS + 3 * session.baseline.observedMs,
    baseTimeoutMs: 30_000 + 3 * session.baseline.observedMs,
    ownFolder: session.modules.tests.some((file) => FOLDER_BOUND.test(file.text)),
  };
  const lines = await runJob(session.deps, [step], timeLeft(session), onLine);
  const passed = ordered.flatMap((candidate): Passed[] => {
    const line = verdicts.get(candidate.patch.id);
    return line !== undefined && isPass(line) ? [{ candidate, fixed: (line.fixed as string[]).length }] : [];
  });
  const first = lines.find((line) => line.kind === 'screen' && isPass(line));
  const base = { judged: [...verdicts.keys()], passed, cpuMs: cpuOf(lines) };
  return first === undefined ? base : { ...base, firstCpuMs: Number(first.cpuMs) };
}

function isPass(line: DriverLine): boolean {
  return (
    line.lost === undefined && line.broken === undefined && ((line.fixed as string[] | undefined) ?? []).length > 0
  );
}

function announce(session: Session, tried: number, total: number, plausible: number): void {
  session.deps.onProgress?.(`${tried} of ${total} candidates tried, ${plausible} pass so far`);
}

/** What the tests need, many times over; a test that needed the limit was endless and says nothing. */
function limitOf(baseline: Baseline): number {
  const needed = baseline.coverage.filter(({ steps }) => steps < stepLimit).map(({ steps }) => steps);
  return Math.min(stepLimit, 50_000 + 30 * Math.max(0, ...needed));
}

/** Enough for most candidates: ten times what the tests that pass need. */
function firstLimitOf(baseline: Baseline): number {
  const needed = baseline.coverage.filter(({ failed }) => !failed).map(({ steps }) => steps);
  return 20_000 + 10 * Math.max(0, ...needed);
}

function timeLeft(session: Session): number {
  return Math.max(1000, Math.round(session.deadline - performance.now()));
}

function commonOf(session: Session): object {
  const { check } = session.baseline;
  return {
    directory: check.directory,
    nodeFlags: nodeFlagsOf(check),
    environment: check.directEnvironment,
    memoryMb: MEMORY_MB,
    parallel: session.parallel,
  };
}

interface DriverEdit {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of a patch on the instrumented texts: what differs between both texts, ends left out. */
function editsOf(prepared: PreparedTexts, patch: Patch): DriverEdit[] {
  return patch.edits.flatMap((edit): DriverEdit[] => {
    const instrumented: Instrumented | undefined = prepared.instrumented.get(edit.path);
    const base = prepared.texts[edit.path];
    if (instrumented === undefined || base === undefined) return [];
    const span = { start: edit.offset, end: edit.offset + edit.before.length, text: edit.after };
    return [differenceOf(edit.path, base, render(instrumented, span))];
  });
}

function differenceOf(path: string, base: string, text: string): DriverEdit {
  const most = Math.min(base.length, text.length);
  let head = 0;
  while (head < most && base[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < most - head && base[base.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  return { path, start: head, end: base.length - tail, text: text.slice(head, text.length - tail) };
}

/** One process per candidate, the files with failing tests first. */
async function screenAlone(session: Session, candidates: readonly Candidate[]): Promise<Screened> {
  const failing = testsWith(session.baseline, 'failed');
  const files = [
    ...new Set(session.baseline.tests.filter((test) => failing.includes(test.id)).map((test) => test.file)),
  ];
  const passed: Passed[] = [];
  const judged: string[] = [];
  let firstCpuMs: number | undefined;
  const lines = await runJob(session.deps, [confirmStep(session, candidates, files)], timeLeft(session), (line) => {
    if (line.kind !== 'confirm') return;
    judged.push(String(line.id));
    const fixed = judgeReport(session.baseline, line, files)?.length ?? 0;
    const candidate = candidates.find((one) => one.patch.id === line.id);
    if (fixed > 0 && candidate !== undefined) {
      passed.push({ candidate, fixed });
      firstCpuMs ??= Number(line.cpuMs ?? 0);
    }
    if (judged.length % 10 === 0) announce(session, judged.length, candidates.length, passed.length);
  });
  const inOrder = candidates.flatMap((candidate) => passed.find((one) => one.candidate === candidate) ?? []);
  const base = { judged, passed: inOrder, cpuMs: cpuOf(lines) };
  return firstCpuMs === undefined ? base : { ...base, firstCpuMs };
}

function confirmStep(session: Session, candidates: readonly Candidate[], files: readonly string[]): object {
  const plain = Object.fromEntries(session.modules.sources.map((file) => [file.path, file.text]));
  const edited = new Set(candidates.flatMap((one) => one.patch.edits.map((edit) => edit.path)));
  return {
    kind: 'confirm',
    name: 'confirm',
    ...commonOf(session),
    texts: Object.fromEntries([...edited].map((path) => [path, plain[path] ?? ''])),
    candidates: candidates.map(({ patch }) => ({
      id: patch.id,
      edits: patch.edits.map(({ path, offset, before, after }) => ({
        path,
        start: offset,
        end: offset + before.length,
        text: after,
      })),
    })),
    files,
    timeoutMs: ALONE_MS,
  };
}

interface Confirmed {
  readonly candidate: Candidate;
  readonly fixes: readonly string[];
  readonly cpuMs: number;
}

interface Confirmation {
  readonly confirmed: readonly Confirmed[];
  /** Candidates for which there was no time: without a verdict, so that a later call takes them up. */
  readonly unfinished: ReadonlySet<string>;
}

async function confirmAll(session: Session, candidates: readonly Candidate[]): Promise<Confirmation> {
  if (candidates.length === 0) return { confirmed: [], unfinished: new Set() };
  const step = confirmStep(session, candidates, session.baseline.files);
  const lines = await runJob(session.deps, [step], Math.max(timeLeft(session), ALONE_MS));
  const ended = new Map(lines.filter((line) => line.kind === 'confirm').map((line) => [line.id, line]));
  const confirmed = candidates.flatMap((candidate): Confirmed[] => {
    const line = ended.get(candidate.patch.id);
    const fixes = line === undefined ? undefined : judgeReport(session.baseline, line, session.baseline.files);
    return fixes === undefined || fixes.length === 0 ? [] : [{ candidate, fixes, cpuMs: 0 }];
  });
  // Where not even one came to its end, those that were begun count as judged: otherwise they would be begun for ever.
  const begun = ended.size === 0 ? session.parallel : 0;
  const left = candidates.slice(begun).filter(({ patch }) => !ended.has(patch.id));
  return { confirmed, unfinished: new Set(left.map(({ patch }) => patch.id)) };
}

interface FileReport {
  readonly file: string;
  readonly tests: readonly { readonly file?: string; readonly names: string[]; readonly status: string }[];
  readonly complete: boolean;
}

/**
 * The failing tests that pass now; `undefined` when something is wrong: a report is incomplete or was tampered with, a
 * test is missing or reported twice, or one that passed before does not pass now.
 */
function judgeReport(baseline: Baseline, line: DriverLine, files: readonly string[]): string[] | undefined {
  const reports = line.files as FileReport[];
  if (reports.length < files.length || !reports.every((report) => report.complete)) return undefined;
  const found = numberTwins(
    reports.flatMap(({ file, tests }) => tests.map((test) => ({ id: testId(file, test.names), status: test.status }))),
  );
  const status = new Map(found.map((test) => [test.id, test.status]));
  const known = new Set(baseline.tests.map((test) => test.id));
  if (found.some(({ id }) => !known.has(id) && known.has(id.replace(/ #\d+$/, '')))) return undefined;
  const expected = baseline.tests.filter((test) => files.includes(test.file));
  const whole = expected.every((test) => {
    if (test.status === 'passed') return status.get(test.id) === 'passed';
    return test.status !== 'failed' || status.has(test.id);
  });
  if (!whole) return undefined;
  return expected.filter((test) => test.status === 'failed' && status.get(test.id) === 'passed').map((test) => test.id);
}

const BASE = 'base';

interface Explored {
  readonly outcomes: ReadonlyMap<string, readonly string[]>;
  readonly inputs: readonly { readonly name: string; readonly args: readonly unknown[] }[];
  readonly cpuMs: number;
}

/** Gives plausible candidates, and the unpatched program, further inputs. */
async function exploreAll(session: Session, candidates: readonly Candidate[]): Promise<Explored> {
  const inputs = generateInputs(session.baseline.calls);
  const outcomes = new Map<string, readonly string[]>();
  if (candidates.length === 0 || inputs.length === 0) return { outcomes, inputs: [], cpuMs: 0 };
  const own = candidates.map(({ patch }) => ({ id: patch.id, edits: editsOf(session.prepared, patch) }));
  const step = {
    kind: 'explore',
    name: 'explore',
    ...commonOf(session),
    texts: session.prepared.texts,
    probes: session.prepared.probes.length,
    candidates: [{ id: BASE, edits: [] }, ...own],
    calls: inputs,
    stepLimit: limitOf(session.baseline),
    timeoutMs: SCREEN_MS,
  };
  const lines = await runJob(session.deps, [step], Math.max(timeLeft(session), ALONE_MS));
  for (const line of lines) {
    if (line.kind === 'explore' && Array.isArray(line.outcomes))
      outcomes.set(String(line.id), line.outcomes as string[]);
  }
  return { outcomes, inputs, cpuMs: cpuOf(lines) };
}

function cpuOf(lines: readonly DriverLine[]): number {
  return Number(lines.findLast((line) => line.kind === 'done')?.cpuMs ?? 0);
}
