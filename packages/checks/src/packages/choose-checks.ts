import type { Check } from '@capstan/contracts';

/** Which tests a run goes by, and which it leaves. */
export interface CheckChoice {
  readonly chosen: readonly Check[];
  /** Tests that are not run by any of the chosen. */
  readonly left: readonly Check[];
}

/** What a run is about. */
export interface CheckFocus {
  /** The task, as it was typed. */
  readonly text: string;
  /** The folder that the user named, relative to the repository; undefined for the whole. */
  readonly folder?: string | undefined;
}

/** A run goes by at most so many checks. */
const mostChecks = 12;

/**
 * Chooses the tests that a run goes by. Who names a folder means its tests: those of the packages in it, else of the
 * package that it lies in. Otherwise the root's tests, and those of packages that these do not run; where they are too
 * many, packages that the task names come first, and then the order in which they were found.
 */
export function chooseChecks(checks: readonly Check[], { text, folder }: CheckFocus): CheckChoice {
  const tests = checks.filter((check) => check.kind === 'test');
  const named = (check: Check): boolean => isNamed(check, text);
  const candidates = folder === undefined || folder === '.' ? uncovered(tests) : around(tests, folder);
  const isRoot = ({ directory }: Check): boolean => directory === '.';
  const ordered = [
    ...candidates.filter((check) => named(check) || isRoot(check)),
    ...candidates.filter((check) => !named(check) && !isRoot(check)),
  ];
  const kept = new Set(ordered.slice(0, mostChecks));
  const ids = new Set([...kept].map(({ id }) => id));
  return {
    chosen: tests.filter((check) => kept.has(check)),
    left: tests.filter((check) => !kept.has(check) && !ids.has(check.coveredBy ?? '')),
  };
}

function uncovered(tests: readonly Check[]): Check[] {
  const ids = new Set(tests.map(({ id }) => id));
  return tests.filter(({ coveredBy }) => coveredBy === undefined || !ids.has(coveredBy));
}

function around(tests: readonly Check[], folder: string): Check[] {
  const inside = tests.filter(({ directory }) => isWithin(directory, folder));
  if (inside.length > 0) return inside;
  const above = tests.filter(({ directory }) => isWithin(folder, directory));
  const nearest = Math.max(...above.map(({ directory }) => depthOf(directory)));
  return above.filter(({ directory }) => depthOf(directory) === nearest);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

function depthOf(folder: string): number {
  return folder === '.' ? 0 : folder.split('/').length;
}

/** Whether a text names a package, by its name or its folder, as a word of its own. */
function isNamed({ package: name, directory }: Check, text: string): boolean {
  if (directory === '.') return false;
  const names = [name, directory, directory.split('/').at(-1)].filter((word) => word !== undefined && word.length > 2);
  return names.some((word) => {
    const escaped = (word ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\p{L}\\p{N}_-])${escaped}(?![\\p{L}\\p{N}_-])`, 'iu').test(
      text.replace(/\p{Script=Han}/gu, ' '),
    );
  });
}
