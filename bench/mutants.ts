// node bench/mutants.ts [--seed N] [--count 10] [--library NAME] [--rename]
// Makes fresh mutants of public libraries, repairs each by its tests, and judges the patches by calls that the tests do not
// make. Needs the npm registry. Without a seed it takes one from the clock and says which.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applyEdits } from '@capstan/repair';
import { fetchLibrary } from './mutants/fetch-library.ts';
import { libraries } from './mutants/libraries.ts';
import type { Library } from './mutants/library.ts';
import { type Calls, makeCalls } from './mutants/make-calls.ts';
import { answersOf, modulePath, writePackage } from './mutants/mutant-package.ts';
import { mutationsOf, type SourceMutation } from './mutants/mutate-source.ts';
import { SeededRandom } from './mutants/seeded-random.ts';
import { declaredNames, exportedNames, renameIdentifiers } from './rename-identifiers.ts';
import { repairOnce } from './repair-once.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '10' },
    library: { type: 'string' },
    rename: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const random = new SeededRandom(seed);
const scratch = mkdtempSync(join(tmpdir(), 'capstan-mutants-'));
const chosen = libraries.filter(({ name }) => values.library === undefined || name === values.library);
const MOST_TRIES = 60;

interface Source {
  readonly library: Library;
  readonly text: string;
  readonly calls: Calls;
  readonly shown: readonly string[];
  readonly heldOut: readonly string[];
  readonly mutations: readonly SourceMutation[];
}

interface Mutant {
  readonly source: Source;
  readonly mutation: SourceMutation;
  readonly text: string;
}

type Outcome = 'rank 1' | 'rank 2 to 5' | 'wrong' | 'none';

const sources = new Map<string, Source>();
const counts: Record<Outcome, number> = { 'rank 1': 0, 'rank 2 to 5': 0, wrong: 0, none: 0 };

try {
  process.stdout.write(`seed ${seed}${values.rename ? ', identifiers renamed' : ''}\n`);
  for (let number = 1; number <= Number(values.count); number += 1) {
    const mutant = freshMutant(number);
    const { outcome, detail } = await repair(mutant, join(scratch, `mutant-${number}`));
    counts[outcome] += 1;
    print(number, mutant, outcome, detail);
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `${total} mutants: ${counts['rank 1']} repaired at rank 1, ${counts['rank 1'] + counts['rank 2 to 5']} within rank 5, ` +
      `${counts.wrong} plausible but wrong, ${counts.none} without a patch\n`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function sourceOf(library: Library): Source {
  const known = sources.get(library.name);
  if (known !== undefined) return known;
  const text = fetchLibrary(library, join(scratch, 'packages'));
  const calls = makeCalls(library, random);
  const [shown, heldOut] = [answersTo(library, text, calls.shown), answersTo(library, text, calls.heldOut)];
  if (shown === undefined || heldOut === undefined) throw new Error(`${library.name} does not answer its own calls`);
  const source = { library, text, calls, shown, heldOut, mutations: mutationsOf(library.file, text) };
  sources.set(library.name, source);
  return source;
}

/** A mutant that at least one test sees, and that ends. */
function freshMutant(number: number): Mutant {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const source = sourceOf(random.pick(chosen));
    const mutation = random.pick(source.mutations);
    const text = source.text.slice(0, mutation.start) + mutation.text + source.text.slice(mutation.end);
    const answers = answersTo(source.library, text, source.calls.shown);
    if (answers?.some((answer, index) => answer !== source.shown[index]) === true) return { source, mutation, text };
  }
  throw new Error(`mutant ${number}: none of ${MOST_TRIES} was seen by a test`);
}

function answersTo(library: Library, text: string, calls: Calls['shown']): string[] | undefined {
  const root = join(scratch, 'answers');
  const path = modulePath(root, library);
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: library.format }));
  writeFileSync(path, text);
  return answersOf(path, library, calls);
}

async function repair(mutant: Mutant, root: string): Promise<{ outcome: Outcome; detail: string }> {
  const { library, calls, shown, heldOut } = mutant.source;
  const text = values.rename ? renamed(library, mutant.text) : mutant.text;
  writePackage(root, library, text, calls.shown, shown);
  const found = await repairOnce(root);
  const ranked = found.ranked.slice(0, 5);
  if (ranked.length === 0) return { outcome: 'none', detail: `${found.outcome}, ${found.tried} tried` };
  const right = ranked.findIndex((patch) => {
    const patched = applyEdits(text, patch.edits) ?? '';
    const [visible, hidden] = [answersTo(library, patched, calls.shown), answersTo(library, patched, calls.heldOut)];
    return isSame(visible, shown) && isSame(hidden, heldOut);
  });
  const detail = `${ranked[Math.max(0, right)]?.operator ?? ''}, ${found.ranking} plausible of ${found.tried}`;
  if (right === -1) return { outcome: 'wrong', detail };
  return { outcome: right === 0 ? 'rank 1' : 'rank 2 to 5', detail };
}

function isSame(answers: readonly string[] | undefined, expected: readonly string[]): boolean {
  return answers?.every((answer, index) => answer === expected[index]) === true;
}

/** With names that say nothing; what the module exports keeps its name. */
function renamed({ file }: Library, text: string): string {
  const kept = new Set(exportedNames(file, text));
  const names = declaredNames(file, text).filter((name) => !kept.has(name));
  return renameIdentifiers(file, text, new Map(names.map((name, index) => [name, `v${index + 1}`])));
}

function print(number: number, { source, mutation, text }: Mutant, outcome: Outcome, detail: string): void {
  const before = source.text.slice(mutation.start, mutation.end);
  const after = text.slice(mutation.start, mutation.start + mutation.text.length);
  const line = source.text.slice(0, mutation.start).split('\n').length;
  const change = `${source.library.name}:${line} ${JSON.stringify(before.slice(0, 30))} -> ${JSON.stringify(after.slice(0, 30))}`;
  process.stdout.write(
    `${String(number).padStart(3)} ${outcome.padEnd(12)} ${mutation.operator.padEnd(18)} ${change.padEnd(80)} ${detail}\n`,
  );
}
