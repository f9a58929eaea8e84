import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stageNames } from '@capstan/gateway';

export interface StageCheck {
  /** Names of the stages to leave out, one after the other. */
  readonly stages: readonly string[];
  /** The scenarios; each reads `CAPSTAN_TEST_WITHOUT_STAGE`. */
  readonly testFiles: readonly string[];
  /** Gets a line per run. */
  readonly say?: (line: string) => void;
}

interface Count {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs the scenarios once as they are and once without each stage (requirement G1). Returns what is wrong: a stage that
 * can be left out with all scenarios green, or runs that show nothing.
 */
export async function checkStages({ stages, testFiles, say = () => undefined }: StageCheck): Promise<string[]> {
  const whole = await runScenarios(testFiles, undefined);
  say(`all stages: ${whole.passed} passed, ${whole.failed} failed`);
  if (whole.failed > 0 || whole.passed === 0)
    return ['The scenarios have to pass with all stages, and some have to run.'];
  const problems: string[] = [];
  for (const stage of stages) {
    const without = await runScenarios(testFiles, stage);
    say(`without ${stage}: ${without.passed} passed, ${without.failed} failed`);
    if (without.passed + without.failed !== whole.passed) problems.push(`Without ${stage} not all scenarios ran.`);
    else if (without.failed === 0) problems.push(`Nothing fails without the stage ${stage}.`);
  }
  return problems;
}

function runScenarios(testFiles: readonly string[], without: string | undefined): Promise<Count> {
  // A run within a test run would report to that one.
  const { NODE_TEST_CONTEXT: _outer, ...environment } = process.env;
  const env = without === undefined ? environment : { ...environment, CAPSTAN_TEST_WITHOUT_STAGE: without };
  const args = ['--test', '--test-reporter=tap', '--test-timeout=120000', ...testFiles];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 }, (_error, output) =>
      resolve(countIn(output)),
    );
  });
}

function countIn(output: string): Count {
  const count = (name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, 'mu').exec(output)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') + count('cancelled') };
}

if (import.meta.main) {
  // One scenario or more for each stage; the other files of the folder show the promises of single parts.
  const testFiles = [fileURLToPath(new URL('../packages/gateway/src/scenarios/stages.test.ts', import.meta.url))];
  const problems = await checkStages({
    stages: stageNames,
    testFiles,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
