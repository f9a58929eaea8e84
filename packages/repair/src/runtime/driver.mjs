// Runs inside the sandbox, on the repository's own Node: reads one job from standard input, writes one JSON line per
// result to standard output. No tested code runs in this process.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from './run-process.mjs';
import { ScreenProcess } from './screen-process.mjs';
import { copyWorkspace } from './workspace-copy.mjs';

const job = JSON.parse(readFileSync(0, 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'capstan-'));
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const PER_PROCESS = 300;
// Copies of small programs go with the whole scratch folder: removing them one by one costs more than it saves.
const KEPT_BYTES = 50_000;
let copies = 0;
const CLOCK_TICK_MS = 10;

function emit(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** CPU time of this process and of all its descendants that have ended. */
function usedCpuMs() {
  const own = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (own.user + own.system) / 1000 + (Number(fields[13]) + Number(fields[14])) * CLOCK_TICK_MS;
}

function environmentOf(step) {
  return { ...process.env, ...step.environment };
}

function newCopy(texts, copyAll) {
  copies += 1;
  const root = join(scratch, String(copies));
  copyWorkspace(job.workspace, root, texts, copyAll);
  return root;
}

function drop(root) {
  rmSync(root, { recursive: true, force: true });
}

/**
 * The repository's own command, with our reporter in the parent process, where no tested code runs. Gives the test files;
 * undefined when it did not end, and then nothing else needs to be tried.
 */
async function suite(step) {
  const root = newCopy({}, true);
  const secret = randomBytes(16).toString('hex');
  const [, ...rest] = step.argv;
  const argv = [
    process.execPath,
    `--test-reporter=${beside('./suite-reporter.mjs')}`,
    '--test-reporter-destination=stdout',
    ...rest,
  ];
  const run = await runProcess(argv, {
    cwd: join(root, step.directory),
    env: environmentOf(step),
    timeoutMs: step.timeoutMs,
    inputs: { 0: secret },
    outputs: [1],
  });
  const tests = readReport(run.texts[1], secret, root);
  emit({ step: step.name, kind: 'suite', tests, timedOut: run.timedOut, exitCode: run.exitCode, errors: run.errors });
  drop(root);
  if (run.timedOut) return undefined;
  return [...new Set(tests.flatMap((test) => (test.file === undefined ? [] : [test.file])))];
}

function readReport(text, secret, root) {
  return readLines(text, secret).flatMap((line) =>
    line.names === undefined ? [] : [{ ...line, ...placeOf(line, root) }],
  );
}

function readLines(text, secret) {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith(`${secret} `) ? [JSON.parse(line.slice(secret.length + 1))] : []));
}

/** Paths inside the copy become relative to it, in names and traces too. */
function placeOf(test, root) {
  const short = (text) => text?.replaceAll(`${root}/`, '');
  return {
    file: short(test.file),
    names: test.names.map(short),
    message: short(test.message),
    stack: short(test.stack),
  };
}

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

/** One process per time: a test that depends on what ran before it shows itself. Says whether it came to its end. */
async function observe(step, files) {
  const root = newCopy(step.texts, false);
  const screen = screenProcess(step, root);
  const command = { kind: 'observe', root, directory: step.directory, files, stepLimit: step.stepLimit };
  const tests = [];
  const started = performance.now();
  const end = await screen.ask(command, step.timeoutMs, (test) => tests.push(test));
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
  return end.lost === undefined && end.error === undefined;
}

/** Applies a candidate to the instrumented texts. */
function candidateTexts(step, candidate) {
  const texts = { ...step.texts };
  // From the last place to the first, so that the offsets stay true.
  for (const edit of [...candidate.edits].sort((first, second) => second.start - first.start)) {
    const base = texts[edit.path];
    texts[edit.path] = base.slice(0, edit.start) + edit.text + base.slice(edit.end);
  }
  return texts;
}

/**
 * Whether a process that has seen many candidates still judges the unpatched program as a fresh one did. If not, one of
 * them has left something behind, and all that it judged is judged again, each in a process of its own.
 */
async function isClean(step, screen) {
  if (step.kind !== 'screen') return true;
  const root = newCopy(step.texts, false);
  const failed = [];
  const command = {
    kind: 'observe',
    root,
    directory: step.directory,
    files: step.files,
    stepLimit: step.baseStepLimit,
  };
  const end = await screen.ask(command, step.baseTimeoutMs, (test) => {
    if (test.failure !== undefined && !step.ignored.includes(test.id)) failed.push(test.id);
  });
  drop(root);
  return end.lost === undefined && JSON.stringify(failed.sort()) === JSON.stringify([...step.failing].sort());
}

async function eachCandidate(step, ask) {
  const queue = [...step.candidates];
  const home = newCopy(step.texts, false);
  const keep = Object.values(step.texts).reduce((sum, text) => sum + text.length, 0) < KEPT_BYTES;
  const screens = Array.from({ length: step.parallel }, () => screenProcess(step, home));
  const askOne = async (screen, candidate) => {
    const root = newCopy(candidateTexts(step, candidate), false);
    const end = await screen.ask({ ...ask(candidate, root), home: step.ownFolder ? root : home }, step.timeoutMs);
    if (!keep) drop(root);
    const cpuMs = screens.reduce((sum, one) => sum + one.cpuMs, usedCpuMs());
    if (step.isFinal?.(candidate, end) === false) return;
    emit({ ...end, step: step.name, kind: step.kind, id: candidate.id, cpuMs });
  };
  const work = async (screen) => {
    let asked = [];
    for (let candidate = queue.shift(); candidate !== undefined; candidate = queue.shift()) {
      asked.push(candidate);
      await askOne(screen, candidate);
      if (asked.length < PER_PROCESS && queue.length > 0) continue;
      const again = (await isClean(step, screen)) ? [] : asked;
      screen.close();
      for (const one of again) {
        await askOne(screen, one);
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
async function screen(step) {
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

async function explore(step) {
  await eachCandidate(step, (_, root) => ({
    kind: 'explore',
    root,
    directory: step.directory,
    calls: step.calls,
    stepLimit: step.stepLimit,
  }));
}

/** Each test file in a process of its own under node:test itself, on plain sources. */
async function confirm(step) {
  const queue = [...step.candidates];
  const work = async () => {
    for (let candidate = queue.shift(); candidate !== undefined; candidate = queue.shift()) {
      const files = [];
      for (const file of candidate.files ?? step.files) {
        const one = await confirmFile(step, candidate, file);
        files.push(one);
        if (candidate.stopEarly && one.stop) break;
      }
      emit({ step: step.name, kind: 'confirm', id: candidate.id, files, cpuMs: usedCpuMs() });
    }
  };
  await Promise.all(Array.from({ length: step.parallel }, work));
}

async function confirmFile(step, candidate, file) {
  const root = newCopy(candidateTexts(step, candidate), true);
  const secret = randomBytes(16).toString('hex');
  const argv = [
    process.execPath,
    ...step.nodeFlags,
    `--max-old-space-size=${step.memoryMb}`,
    '--import',
    beside('./guard.mjs'),
    `--test-reporter=${beside('./guarded-reporter.mjs')}`,
    '--test-reporter-destination=stdout',
    join(root, file),
  ];
  const options = { cwd: join(root, step.directory), env: environmentOf(step), timeoutMs: step.timeoutMs };
  const run = await runProcess(argv, { ...options, inputs: { 3: secret }, outputs: [4] });
  const lines = readLines(run.texts[4], secret);
  const end = lines.find((line) => line.end === true);
  drop(root);
  return {
    file,
    tests: readReport(run.texts[4], secret, root),
    complete: end !== undefined && !end.tampered,
    tampered: end?.tampered ?? false,
    timedOut: run.timedOut,
    errors: run.errors,
  };
}

/** A suite on which our harness waits much longer than its runner needed is not one for it. */
const OBSERVE_MS = 15_000;
const OBSERVE_TIMES = 4;

try {
  let files = [];
  let suiteMs = Number.POSITIVE_INFINITY;
  let observable = true;
  for (const step of job.steps) {
    if (step.kind === 'suite') {
      const started = performance.now();
      const found = await suite(step);
      if (found === undefined) break;
      suiteMs = performance.now() - started;
      files = [...new Set([...files, ...found])];
    } else if (step.kind === 'observe') {
      const timeoutMs = Math.min(step.timeoutMs, OBSERVE_MS + OBSERVE_TIMES * suiteMs);
      if (observable) observable = await observe({ ...step, timeoutMs }, step.files ?? files);
    } else if (step.kind === 'screen') await screen(step);
    else if (step.kind === 'explore') await explore(step);
    else if (step.kind === 'confirm') await confirm(step);
    else throw new Error(`unknown step ${step.kind}`);
  }
  emit({ kind: 'done', cpuMs: usedCpuMs() });
} finally {
  drop(scratch);
}
