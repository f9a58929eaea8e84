import type { Check } from '@capstan/contracts';
import { detectNative } from './detect-native.ts';
import { detectPackageScripts } from './detect-package-scripts.ts';
import type { RepositoryReader } from './repository-reader.ts';

/**
 * The checks that a repository brings along (requirement A4), tests first. The table of what is recognised stands in
 * the README of the exec server. Only the root is looked at: the packages of a monorepo are not, and Makefile targets
 * count only where nothing else tests.
 */
export async function detectChecks(reader: RepositoryReader): Promise<Check[]> {
  const found = [...(await detectPackageScripts(reader)), ...(await detectNative(reader))];
  const tested = found.some((check) => check.kind === 'test' && check.framework !== 'make');
  const checks = tested ? found.filter((check) => check.framework !== 'make') : found;
  return checks.toSorted((a, b) => Number(b.kind === 'test') - Number(a.kind === 'test'));
}
