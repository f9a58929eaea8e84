// Test files under node:test itself, each in a process of its own, as the runner does it: the unpatched ones to know what
// to expect, and candidates to confirm them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  beside,
  candidateTexts,
  drop,
  emit,
  environmentOf,
  newCopy,
  timeLeft,
  usedCpuMs,
  within,
} from './driver-context.mjs';
import { readLines, readTests } from './read-report.mjs';
import { runProcess } from './run-process.mjs';

const REPORT_FD = 4;
const TRACE_FD = 5;

/** Every file of the unpatched workspace. With `probes` the texts have probes, and what each test reached comes along. */
export async function isolated(step, files) {
  const queue = [...files];
  const reports = [];
  const work = async () => {
    for (let file = queue.shift(); file !== undefined && timeLeft() > 0; file = queue.shift()) {
      reports.push(await runFile(step, step.texts ?? {}, file));
    }
  };
  await Promise.all(Array.from({ length: step.parallel }, work));
  const order = new Map(files.map((file, index) => [file, index]));
  reports.sort((first, second) => order.get(first.file) - order.get(second.file));
  // What the end of the job cut off says nothing of the tests.
  const whole = reports.length === files.length && timeLeft() > 0;
  emit({ step: step.name, kind: 'isolated', reports, whole });
}

/**
 * Candidates, each with the files that it has to pass in their order. A candidate is done with the first file in which a
 * test that passed before does not, or after the failing files where it fixes none of them. While something has passed,
 * no further candidate is begun when less than `reserveMs` of the job is left.
 */
export async function confirm(step) {
  const queue = [...step.candidates];
  let passed = 0;
  const work = async () => {
    for (let candidate = queue.shift(); candidate !== undefined; candidate = queue.shift()) {
      if (timeLeft() <= (passed > 0 ? (step.reserveMs ?? 0) : 0)) return;
      const files = [];
      let broken = false;
      for (const file of candidate.files) {
        const report = await runFile(step, candidateTexts(step, candidate), file);
        files.push(report);
        broken = isBroken(step, report) || isUseless(step, candidate, files);
        if (broken) break;
      }
      // What the end of the job cut off has no verdict.
      if (timeLeft() <= 0 && files.some((report) => report.timedOut)) return;
      if (!broken) passed += 1;
      emit({ step: step.name, kind: 'confirm', id: candidate.id, files, cpuMs: usedCpuMs() });
    }
  };
  await Promise.all(Array.from({ length: step.parallel }, work));
}

function isBroken(step, report) {
  if (!report.complete) return true;
  const passed = new Set(idsOf(report).flatMap(({ id, status }) => (status === 'passed' ? [id] : [])));
  return (step.passing[report.file] ?? []).some((id) => !passed.has(id));
}

/** All files with failing tests were run, and each of these still fails. */
function isUseless(step, candidate, reports) {
  const done = new Set(reports.map(({ file }) => file));
  const own = candidate.files.filter((file) => step.failing[file] !== undefined);
  if (own.length === 0 || own.some((file) => !done.has(file))) return false;
  return !reports.some((report) =>
    idsOf(report).some(({ id, status }) => status === 'passed' && step.failing[report.file]?.includes(id)),
  );
}

/** Ids as they are made outside: names joined, namesakes numbered by their order. */
function idsOf({ file, tests }) {
  const seen = new Map();
  return tests.map(({ names, status }) => {
    const plain = [file, ...names].join(' > ');
    const nth = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, nth);
    return { id: nth === 1 ? plain : `${plain} #${nth}`, status };
  });
}

async function runFile(step, texts, file) {
  const root = newCopy({ texts, copyAll: true, modules: step.modules });
  const secret = randomBytes(16).toString('hex');
  const tracing = step.probes !== undefined;
  const trace = tracing ? ['--import', `${new URL('./trace.mjs', import.meta.url).href}?probes=${step.probes}`] : [];
  const argv = [
    process.execPath,
    ...step.nodeFlags,
    `--max-old-space-size=${step.memoryMb}`,
    '--import',
    beside('./guard.mjs'),
    ...trace,
    `--test-reporter=${beside('./guarded-reporter.mjs')}`,
    '--test-reporter-destination=stdout',
    join(root, file),
  ];
  const started = performance.now();
  const run = await runProcess(argv, {
    cwd: join(root, step.directory),
    env: environmentOf(step),
    timeoutMs: within(step.timeoutMs),
    inputs: { 3: secret },
    outputs: tracing ? [REPORT_FD, TRACE_FD] : [REPORT_FD],
  });
  const lines = readLines(run.texts[REPORT_FD], secret);
  const end = lines.find((line) => line.end === true);
  drop(root);
  return {
    file,
    tests: withFileItself(readTests(lines, root), file, end, run),
    complete: end !== undefined && !end.tampered,
    timedOut: run.timedOut,
    errors: run.errors,
    wallMs: performance.now() - started,
    ...(tracing ? { trace: traceOf(run.texts[TRACE_FD]) } : {}),
  };
}

/** A file without tests is a test itself, and so is one that fails though all its tests pass: as the runner has it. */
function withFileItself(tests, file, end, { exitCode, errors }) {
  const failed = exitCode !== 0 && !tests.some(({ status }) => status === 'failed');
  if (tests.length > 0 && !failed) return tests;
  if (end === undefined && exitCode === 0) return tests;
  const status = exitCode === 0 ? 'passed' : 'failed';
  return [
    ...tests,
    { file, names: [], status, ...(status === 'failed' ? { message: errors.trim().slice(-500) } : {}) },
  ];
}

function traceOf(text) {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
