import type { Check } from '@capstan/contracts';

/** How to run a check so that its runner also writes a report that can be read test by test. */
export interface ReportRequest {
  /** The repository's own command: its exit code is the verdict. */
  readonly argv: readonly string[];
  /** To be added to the environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * A second run, of the runner itself, made only for its report: where flags cannot reach the runner through the
   * repository's own command or, with `ifMissing`, where that command has left no report. Its exit code decides nothing.
   */
  readonly details?: {
    readonly argv: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    readonly ifMissing?: true;
  };
  /** The file of the report folder that will hold the report; absent where it is read from the output. */
  readonly file?: string;
}

/** The name under which the caller puts `nodeTestReporter` into the report folder. */
export const reporterFile = 'node-test-reporter.mjs';

/** Where our reporter for node:test lies: plain JavaScript for Node 20 and later. */
export const nodeTestReporter = new URL('./node-test-reporter.mjs', import.meta.url);

/**
 * Asks for a report; `folder` is the report folder as the runner sees it: absolute, writable, without spaces. `more`
 * are further flags for runners that are asked by flags.
 */
export function reportRequest(check: Check, folder: string, more: readonly string[] = []): ReportRequest {
  switch (check.framework) {
    case 'node-test':
      return nodeTest(check, folder);
    case 'vitest':
      return byFlags(check, 'vitest.json', [
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${folder}/vitest.json`,
        ...more,
      ]);
    case 'jest':
      return byFlags(check, 'jest.json', ['--json', `--outputFile=${folder}/jest.json`, ...more]);
    case 'mocha':
      return byFlags(check, 'mocha.json', [
        '--reporter',
        'json',
        '--reporter-option',
        `output=${folder}/mocha.json`,
        ...more,
      ]);
    case 'pytest': {
      const options = `--continue-on-collection-errors --junitxml=${folder}/pytest.xml -o junit_family=xunit1 -p no:cacheprovider`;
      return { argv: check.argv, environment: { PYTEST_ADDOPTS: options }, file: 'pytest.xml' };
    }
    case 'go':
      return { argv: withFlag(check.argv, ['go', 'test'], '-json'), environment: {} };
    case 'cargo':
      return { argv: withFlag(check.argv, ['cargo', 'test'], '--no-fail-fast'), environment: {} };
    default:
      return { argv: check.argv, environment: {} };
  }
}

const NODE_TEST_FILE = 'node-test.jsonl';

/**
 * NODE_OPTIONS carries the reporter through npm to every `node --test`. It cannot where the script names reporters of
 * its own (their numbers must match) or sets NODE_OPTIONS: then the runner runs a second time. So it does where no
 * `node --test` was reached: another program runs the tests, or a step before them failed.
 */
function nodeTest(check: Check, folder: string): ReportRequest {
  const ownOptions = check.directEnvironment?.NODE_OPTIONS;
  const direct = check.directArgv ?? check.argv;
  const ownReporters = direct.some((word) => word.startsWith('--test-reporter'));
  const options = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${folder}/${reporterFile}`,
    '--test-reporter-destination=stderr',
  ].join(' ');
  const environment = { NODE_OPTIONS: options, CAPSTAN_TEST_REPORT: `${folder}/${NODE_TEST_FILE}` };
  const merged = { ...check.directEnvironment, ...environment, NODE_OPTIONS: `${ownOptions ?? ''} ${options}`.trim() };
  const details = { argv: withoutReporters(direct), environment: merged };
  if (ownOptions === undefined && !ownReporters) {
    const request = { argv: check.argv, environment, file: NODE_TEST_FILE };
    return direct.join('\0') === check.argv.join('\0')
      ? request
      : { ...request, details: { ...details, ifMissing: true } };
  }
  return { argv: check.argv, environment: {}, details, file: NODE_TEST_FILE };
}

function withoutReporters(argv: readonly string[]): string[] {
  const isValue = (index: number): boolean => /^--test-reporter(-destination)?$/.test(argv[index - 1] ?? '');
  return argv.filter((word, index) => !word.startsWith('--test-reporter') && !isValue(index));
}

function byFlags(check: Check, file: string, flags: readonly string[]): ReportRequest {
  if (check.appendableArgv !== undefined) {
    return { argv: [...check.appendableArgv, ...flags], environment: {}, file };
  }
  if (check.directArgv === undefined) return { argv: check.argv, environment: {} };
  const details = { argv: [...check.directArgv, ...flags], environment: { ...check.directEnvironment } };
  return { argv: check.argv, environment: {}, details, file };
}

function withFlag(argv: readonly string[], start: readonly string[], flag: string): readonly string[] {
  const matches = start.every((word, index) => argv[index] === word);
  return matches ? [...start, flag, ...argv.slice(start.length)] : argv;
}
