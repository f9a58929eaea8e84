// node bench/planted-bugs.ts [--later] [--only a,b]
// Repairs small programs of ours into which bugs were planted by hand, and judges the first-ranked patch by inputs that
// its tests do not use. Some bugs are out of reach of one-place operators on purpose.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { applyEdits } from '@capstan/repair';
import type { PlantedProgram } from './planted-program.ts';
import { plantedPrograms } from './planted-programs.ts';
import { plantedProgramsLater } from './planted-programs-later.ts';
import { repairOnce } from './repair-once.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, later: { type: 'boolean', default: false } } });
const only = values.only?.split(',');
const scratch = mkdtempSync(join(tmpdir(), 'capstan-planted-'));
const programs = values.later ? plantedProgramsLater : plantedPrograms;
type Subject = (...args: unknown[]) => unknown;
let [planted, visible, plausible, right] = [0, 0, 0, 0];

try {
  for (const program of programs.filter(({ name }) => only?.includes(name) ?? true)) {
    for (const [index, bug] of program.bugs.entries()) {
      planted += 1;
      process.stdout.write(
        `${program.name.padEnd(18)} ${JSON.stringify(bug).slice(0, 70).padEnd(72)} ${await judge(program, index)}\n`,
      );
    }
  }
  process.stdout.write(
    `${planted} bugs planted, ${visible} seen by a test, ${plausible} with a patch, ${right} right at rank 1\n`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function judge(program: PlantedProgram, index: number): Promise<string> {
  const [from, to] = program.bugs[index] ?? ['', ''];
  const wrong = program.right.replace(from, () => to);
  if (wrong === program.right) throw new Error(`${program.name}: nothing to replace in bug ${index}`);
  const answer = await load(`${program.name}-${index}-right`, program.right);
  const root = join(scratch, `${program.name}-${index}`);
  writeProgram(
    root,
    wrong,
    program.shown.map((args) => [args, answer(...structuredClone([...args]))]),
  );
  const { outcome, best, ranking } = await repairOnce(root);
  if (outcome === 'none-failing') return 'no test sees it';
  visible += 1;
  if (best === undefined) return outcome;
  plausible += 1;
  const patched = await load(`${program.name}-${index}-patched`, applyEdits(wrong, best.edits) ?? '');
  const differs = [...program.shown, ...program.hidden].some(
    (args) => describe(patched, args) !== describe(answer, args),
  );
  if (!differs) right += 1;
  return `${differs ? 'WRONG' : 'right'} ${best.operator}, ${ranking} plausible`;
}

function writeProgram(root: string, text: string, cases: readonly unknown[]): void {
  for (const folder of ['src', 'test']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "type": "module", "scripts": { "test": "node --test" } }\n');
  writeFileSync(join(root, 'src/subject.js'), text);
  const test = `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { subject } from '../src/subject.js';
for (const [args, expected] of ${JSON.stringify(cases)}) {
  test(JSON.stringify(args), { timeout: 2000 }, () => assert.deepEqual(subject(...args), expected));
}
`;
  writeFileSync(join(root, 'test/subject.test.js'), test);
}

async function load(name: string, text: string): Promise<Subject> {
  const path = join(scratch, `${name}.mjs`);
  writeFileSync(path, text);
  return ((await import(pathToFileURL(path).href)) as { subject: Subject }).subject;
}

function describe(subject: Subject, args: readonly unknown[]): string {
  try {
    return JSON.stringify(subject(...structuredClone([...args]))) ?? 'undefined';
  } catch (error) {
    return `throws ${error instanceof Error ? error.name : typeof error}`;
  }
}
