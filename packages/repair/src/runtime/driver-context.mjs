// What all steps of the driver share: the job, copies of the workspace, the clock, the way results go out.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyWorkspace } from './workspace-copy.mjs';

const CLOCK_TICK_MS = 10;
const LEAST_MS = 1;

const job = JSON.parse(readFileSync(0, 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'capstan-'));
const started = performance.now();
let copies = 0;

export const steps = job.steps;

/** Prints one result. */
export function emit(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Milliseconds that are left of this job: no step takes up anything new after them. */
export function timeLeft() {
  return job.milliseconds === undefined ? Number.POSITIVE_INFINITY : job.milliseconds - (performance.now() - started);
}

/** A time limit that also ends with the job, so that no process outlives what it was started for. */
export function within(milliseconds) {
  return Math.max(LEAST_MS, Math.min(milliseconds, timeLeft()));
}

/** CPU time of this process and of all its descendants that have ended. */
export function usedCpuMs() {
  const own = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (own.user + own.system) / 1000 + (Number(fields[13]) + Number(fields[14])) * CLOCK_TICK_MS;
}

export function environmentOf(step) {
  return { ...process.env, ...step.environment };
}

/** A fresh copy of the workspace, as `copyWorkspace` says. */
export function newCopy(options) {
  copies += 1;
  const root = join(scratch, String(copies));
  copyWorkspace(job.workspace, root, options);
  return root;
}

export function drop(root) {
  rmSync(root, { recursive: true, force: true });
}

/** Removes all copies. */
export function dropAll() {
  drop(scratch);
}

/** Where another file of this folder lies. */
export function beside(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Applies a candidate to the texts of its step. */
export function candidateTexts(step, candidate) {
  const texts = { ...step.texts };
  // From the last place to the first, so that the offsets stay true.
  for (const edit of [...candidate.edits].sort((first, second) => second.start - first.start)) {
    const base = texts[edit.path];
    texts[edit.path] = base.slice(0, edit.start) + edit.text + base.slice(edit.end);
  }
  return texts;
}
