// What nobody uses: files, exports, dependencies. `npm run check` runs it as it stands and again with `--production`, where
// tests do not count: what only they use belongs into a folder `testing`, or into a file of that name.
import type { KnipConfig } from 'knip';

const tests = 'src/**/*.test.ts';
const project = [
  'src/**/*.{ts,mjs,cjs}!',
  '!src/**/*.test.ts!',
  '!src/**/{testing,fixtures,scenarios}/**!',
  '!src/**/testing*.ts!',
];

export default {
  workspaces: {
    '.': {
      entry: [
        // Started by name: by package.json, by .ci/run, by bin/capstan and by people.
        'scripts/*.mjs!',
        'scripts/{build-docs,bundle-servers,check,check-stages,record-terminal,run-tests,write-config-reference}.ts!',
        'bench/*.ts!',
        'bench/mutants/answer-calls.mjs!',
        '{scripts,tests}/**/*.test.ts',
        // Tests start the first kind as programs, and models of tests load the second.
        'tests/faults/*.mjs',
        'tests/scenarios/scripts/*.mjs',
      ],
      project: ['{scripts,bench}/**/*.{ts,mjs}!', '!scripts/**/{planted-tree,*.test}.ts!', 'tests/**/*.{ts,mjs}'],
      // Programs that scripts/check.ts starts by their path.
      ignoreDependencies: ['@biomejs/biome', 'oxlint', 'oxlint-tsgolint'],
    },
    'packages/*': { entry: [tests], project },
    'packages/servers/*': { entry: ['src/main.ts!', tests], project },
    'apps/*': { entry: ['src/main.ts!', tests], project },
    // Given to `node --test-reporter` by its path.
    'packages/checks': { entry: ['src/node-test-reporter.mjs!', tests], project },
    // Servers that tests start.
    'packages/gateway': { entry: ['src/fixtures/*.mjs', tests], project },
    'packages/models': { entry: ['src/scripted/main.ts!', tests], project },
    // Programs of the sandbox, which start and preload each other by path.
    'packages/repair': {
      entry: [
        'src/runtime/{driver,guard,guarded-reporter,screen,suite-reporter}.mjs!',
        'src/runtime/node-test.cjs!',
        tests,
      ],
      project,
    },
    'packages/storage': {
      entry: ['conformance/*.ts', 'src/**/testing/*.mjs', tests],
      project: [...project, 'conformance/*.ts'],
    },
    // A server that tests start.
    'packages/tool-server': { entry: ['src/fixtures/*.ts', tests], project },
  },
  // Programs of the system; tests that need one skip where it is missing.
  ignoreBinaries: ['mkfifo', 'script'],
  // The root repeats the dependencies of the packages, so that every version stands in one place.
  ignoreIssues: { 'package.json': ['dependencies'] },
} satisfies KnipConfig;
