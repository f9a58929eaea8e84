import { fileURLToPath } from 'node:url';
import { checkConfigReference } from './check-config-reference.ts';
import { checkDocs } from './check-docs.ts';
import { checkFloors } from './check-floors.ts';
import { checkRepository } from './check-repository.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkTypedLint } from './check-typed-lint.ts';
import { checkUnused } from './check-unused.ts';
import { checkWalk } from './check-walk.ts';
import { runTool } from './checks/run-tool.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Each check returns what is wrong, one line each. All of them run, whatever the ones before found. */
const checks: Readonly<Record<string, () => string[]>> = {
  types: () => runTool(root, 'typescript/bin/tsc', ['--project', root]),
  biome: () =>
    runTool(root, '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--max-diagnostics=50', root]),
  'lint with types': () => checkTypedLint(root),
  unused: () => checkUnused(root),
  floors: () => checkFloors(root),
  walk: () => checkWalk(root),
  repository: () => checkRepository(root),
  documents: () => checkDocs(root),
  'configuration page': () => checkConfigReference(root),
  requirements: () => checkRequirements(root),
};

let failed = false;
for (const [name, check] of Object.entries(checks)) {
  const problems = check();
  process.stdout.write(`${name}: ${problems.length === 0 ? 'ok' : 'FAILED'}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  failed ||= problems.length > 0;
}
process.exitCode = failed ? 1 : 0;
