import { createHash } from 'node:crypto';
import { canonicalJson, type Patch, type TextEdit } from '@capstan/contracts';
import type { Location } from './localise.ts';
import { absenceOperators } from './operators/absence.ts';
import { arithmeticOperators } from './operators/arithmetic.ts';
import { comparisonOperators } from './operators/comparison.ts';
import type { Mutation, Operator } from './operators/mutation.ts';
import { nameOperators } from './operators/names.ts';
import { statementOperators } from './operators/statements.ts';
import { textOperators } from './operators/texts.ts';
import { lineOf, nodeAt, nodesIn, type SourceFile } from './parse-source.ts';
import type { WorkspaceModules } from './read-workspace.ts';
import { buildScope } from './scope.ts';

/** A candidate with the failing tests that its place can have a say in; empty where that is unknown. */
export interface Candidate {
  readonly patch: Patch;
  readonly targets: readonly string[];
}

const OPERATORS: readonly Operator[] = [
  ...comparisonOperators,
  ...arithmeticOperators,
  ...nameOperators,
  ...absenceOperators,
  ...statementOperators,
  ...textOperators,
];

/**
 * All one-place changes of suspicious code that the operators know, the most promising first: suspicion times prior.
 * The order depends on nothing but the texts and the locations.
 */
export function proposePatches(
  modules: WorkspaceModules,
  locations: readonly Location[],
  limit = Number.POSITIVE_INFINITY,
): Candidate[] {
  const candidates = new Map<string, Candidate>();
  const dataNames = new Set(modules.tests.flatMap(memberNames));
  for (const file of modules.sources) {
    const own = locations.filter((location) => location.path === file.path && location.suspicion > 0);
    if (own.length === 0) continue;
    for (const candidate of proposeFor(file, own, dataNames)) {
      const known = candidates.get(candidate.patch.id);
      if (known === undefined || known.patch.prior < candidate.patch.prior)
        candidates.set(candidate.patch.id, candidate);
    }
  }
  return [...candidates.values()].sort(byPromise).slice(0, limit);
}

/** Names of the members of objects that a test file writes down. */
function memberNames(file: SourceFile): string[] {
  return [...nodesIn(file.program)].flatMap((node) => {
    const key = node.type === 'Property' && node.computed !== true ? nodeAt(node, 'key') : undefined;
    const name = key?.name ?? key?.value;
    return typeof name === 'string' &&
      /^[A-Za-z_$][\w$]*$/.test(name) &&
      file.parents.get(node)?.type === 'ObjectExpression'
      ? [name]
      : [];
  });
}

function* proposeFor(
  file: SourceFile,
  locations: readonly Location[],
  dataNames: ReadonlySet<string>,
): Generator<Candidate> {
  const context = { file, scope: buildScope(file), dataNames };
  for (const node of nodesIn(file.program)) {
    const location = innermost(locations, node.start, node.end);
    if (location === undefined) continue;
    for (const operator of OPERATORS) {
      for (const mutation of operator(node, context)) {
        const before = file.text.slice(mutation.start, mutation.end);
        if (before !== mutation.text) yield candidateOf(file, mutation, before, location);
      }
    }
  }
}

function innermost(locations: readonly Location[], start: number, end: number): Location | undefined {
  let best: Location | undefined;
  for (const location of locations) {
    if (location.start > start || location.end < end) continue;
    if (best === undefined || location.end - location.start <= best.end - best.start) best = location;
  }
  return best;
}

function candidateOf(file: SourceFile, mutation: Mutation, before: string, location: Location): Candidate {
  const edit = { path: file.path, offset: mutation.start, before, after: mutation.text };
  const patch: Patch = {
    id: patchId([trimEdit(edit)]),
    edits: [edit],
    operator: mutation.operator,
    line: lineOf(file.text, trimEdit(edit).offset),
    suspicion: location.suspicion,
    prior: mutation.prior,
  };
  return { patch, targets: location.failing };
}

/** The same change gets the same edit, whichever rule found it: what both texts share at their ends is left out. */
function trimEdit(edit: TextEdit): TextEdit {
  const { before, after } = edit;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return {
    ...edit,
    offset: edit.offset + head,
    before: before.slice(head, before.length - tail),
    after: after.slice(head, after.length - tail),
  };
}

/** Digest of the edits: equal changes have equal ids. */
export function patchId(edits: readonly TextEdit[]): string {
  return `patch-${createHash('sha256').update(canonicalJson(edits)).digest('hex').slice(0, 16)}`;
}

function byPromise(first: Candidate, second: Candidate): number {
  const promise = (one: Candidate): number => one.patch.suspicion * one.patch.prior;
  if (promise(first) !== promise(second)) return promise(second) - promise(first);
  const [a, b] = [first.patch, second.patch];
  if (a.line !== b.line) return a.line - b.line;
  return a.id < b.id ? -1 : 1;
}
