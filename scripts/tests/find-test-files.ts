import { globSync } from 'node:fs';
import { join } from 'node:path';

export interface TestFiles {
  readonly testFiles: readonly string[];
  /** Suites of LangGraph's own validation, which take vitest. */
  readonly conformanceFiles: readonly string[];
}

const testPatterns = ['packages', 'apps', 'scripts', 'tests'].map((folder) => `${folder}/**/*.test.ts`);
const conformancePattern = 'packages/*/conformance/*.spec.ts';
const outside = /(^|[\\/])(node_modules|fixtures)[\\/]/;

/** Test files below the root, relative to it; with filters, those whose path contains one of them. The longest first. */
export function findTestFiles(root: string, filters: readonly string[]): TestFiles {
  const wanted = (file: string): boolean =>
    !outside.test(file) && (filters.length === 0 || filters.some((filter) => file.includes(filter)));
  const find = (pattern: string | string[]): string[] =>
    globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })
      .filter(wanted)
      .sort();
  const scenarioFirst = (file: string): number => (file.startsWith(join('tests', '')) ? 0 : 1);
  return {
    testFiles: find(testPatterns).sort((first, second) => scenarioFirst(first) - scenarioFirst(second)),
    conformanceFiles: find(conformancePattern),
  };
}
