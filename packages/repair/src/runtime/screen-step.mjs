// Many candidates in few processes: quick, and never the last word.
import { join } from 'node:path';
import { candidateTexts, drop, emit, environmentOf, newCopy, timeLeft, usedCpuMs, within } from './driver-context.mjs';
import { ScreenProcess } from './screen-process.mjs';

const PER_PROCESS = 300;
// Copies of small programs go with the whole scratch folder: removing them one by one costs more than it saves.
const KEPT_BYTES = 50_000;

function screenProcess(step, root) {
  return new ScreenProcess({
    nodeFlags: step.nodeFlags,
    probes: step.probes,
    memoryMb: step.memoryMb,
    // Loaders of the repository are found from here.
    cwd: join(root, step.directory),
    env: environmentOf(step),
  });
}

/** The unpatched program in the process that screens. Says whether it came to its end. */
export async function observe(step, files) {
  const root = newCopy({ texts: step.texts, copyAll: false });
  const screen = screenProcess(step, root);
  const command = { kind: 'observe', root, directory: step.directory, files, stepLimit: step.stepLimit };
  const tests = [];
  const started = performance.now();
  const end = await screen.ask(command, within(step.timeoutMs), (test) => tests.push(test));
  const wallMs = Math.round(performance.now() - started);
  screen.close();
  drop(root);
  emit({
    step: step.name,
    kind: 'observe',
    tests,
    load: end.load ?? [],
    calls: end.calls ?? [],
    wallMs,
    lost: end.lost ?? end.error,
  });
}

/**
 * Whether a process that has seen many candidates still judges the unpatched program as a fresh one did. If not, one of
 * them has left something behind, and all that it judged is judged again, each in a process of its own.
 */
async function isClean(step, screen) {
  if (step.kind !== 'screen') return true;
  const root = newCopy({ texts: step.texts, copyAll: false });
  const failed = [];
  const command = {
    kind: 'observe',
    root,
    directory: step.directory,
    files: step.files,
    stepLimit: step.baseStepLimit,
  };
  const end = await screen.ask(command, within(step.baseTimeoutMs), (test) => {
    if (test.failure !== undefined && !step.ignored.includes(test.id)) failed.push(test.id);
  });
  drop(root);
  return end.lost === undefined && JSON.stringify(failed.sort()) === JSON.stringify([...step.failing].sort());
}

async function eachCandidate(step, ask) {
  const queue = [...step.candidates];
  const home = newCopy({ texts: step.texts, copyAll: false });
  const keep = Object.values(step.texts).reduce((sum, text) => sum + text.length, 0) < KEPT_BYTES;
  const screens = Array.from({ length: step.parallel }, () => screenProcess(step, home));
  let passed = 0;
  const hasTime = () => timeLeft() > (passed > 0 ? (step.reserveMs ?? 0) : 0);
  const askOne = async (screen, candidate, isFresh) => {
    const root = newCopy({ texts: candidateTexts(step, candidate), copyAll: false });
    const command = { ...ask(candidate, root), home: step.ownFolder ? root : home };
    let end = await screen.ask(command, within(step.timeoutMs));
    // What the candidates before it left in memory is not this one's doing.
    if (end.lost === 'crashed' && !isFresh && timeLeft() > 0) end = await screen.ask(command, within(step.timeoutMs));
    if (!keep) drop(root);
    const cpuMs = screens.reduce((sum, one) => sum + one.cpuMs, usedCpuMs());
    if (step.isFinal?.(candidate, end) === false) return;
    // What the end of the job cut off has no verdict.
    if (end.lost !== undefined && timeLeft() <= 0) return;
    if (end.fixed?.length > 0 && end.broken === undefined) passed += 1;
    emit({ ...end, step: step.name, kind: step.kind, id: candidate.id, cpuMs });
  };
  const work = async (screen) => {
    let asked = [];
    for (let candidate = queue.shift(); candidate !== undefined && hasTime(); candidate = queue.shift()) {
      asked.push(candidate);
      await askOne(screen, candidate, asked.length === 1);
      if (asked.length < PER_PROCESS && queue.length > 0 && hasTime()) continue;
      const again = timeLeft() <= 0 || (await isClean(step, screen)) ? [] : asked;
      screen.close();
      for (const one of again.filter(hasTime)) {
        await askOne(screen, one, true);
        screen.close();
      }
      asked = [];
    }
  };
  await Promise.all(screens.map(work));
  for (const screen of screens) {
    screen.close();
  }
}

/** With a small limit of steps first; those that ran into it, and only they, get the full one at the end. */
export async function screen(step) {
  const limited = [];
  const ends = new Set();
  const first = { ...step, stepLimit: Math.min(step.firstStepLimit, step.stepLimit) };
  await screenWith(first, (candidate, end) => {
    if (!end.limited || first.stepLimit === step.stepLimit) return true;
    if (!ends.has(candidate.id)) limited.push(candidate);
    ends.add(candidate.id);
    return false;
  });
  await screenWith({ ...step, candidates: limited }, () => true);
}

async function screenWith(step, isFinal) {
  if (step.candidates.length === 0) return;
  await eachCandidate({ ...step, isFinal }, (candidate, root) => ({
    kind: 'screen',
    root,
    directory: step.directory,
    files: step.files,
    targets: candidate.targets,
    failing: step.failing,
    ignored: step.ignored,
    patience: step.patience,
    stepLimit: step.stepLimit,
  }));
}

export async function explore(step) {
  await eachCandidate(step, (_, root) => ({
    kind: 'explore',
    root,
    directory: step.directory,
    calls: step.calls,
    stepLimit: step.stepLimit,
  }));
}
