// The repository's own command, once.
import { randomBytes } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import { beside, drop, emit, environmentOf, newCopy, within } from './driver-context.mjs';
import { readLines, readTests } from './read-report.mjs';
import { runProcess } from './run-process.mjs';

/**
 * Runs the repository's command with our reporter in its parent process, where no tested code runs. Answers the files
 * that were started, each of which can be run by itself; undefined when it did not end, and then nothing else needs to be
 * tried.
 */
export async function suite(step) {
  const root = newCopy({ copyAll: true });
  const secret = randomBytes(16).toString('hex');
  const [, ...rest] = step.argv;
  const argv = [
    process.execPath,
    `--test-reporter=${beside('./suite-reporter.mjs')}`,
    '--test-reporter-destination=stdout',
    ...rest,
  ];
  const started = performance.now();
  const run = await runProcess(argv, {
    cwd: join(root, step.directory),
    env: environmentOf(step),
    timeoutMs: within(step.timeoutMs),
    inputs: { 0: secret },
    outputs: [1],
  });
  const lines = readLines(run.texts[1], secret);
  const tests = readTests(lines, root);
  const entries = entriesOf(lines, tests, step, root);
  const { timedOut, exitCode, errors } = run;
  const wallMs = performance.now() - started;
  emit({ step: step.name, kind: 'suite', tests, entries, timedOut, exitCode, errors, wallMs, node: process.version });
  drop(root);
  return timedOut ? undefined : { files: entries, wallMs };
}

/** Files that the runner started; of a command that starts none, its own file; else those that define tests. */
function entriesOf(lines, tests, step, root) {
  const started = lines.flatMap((line) => (line.entry === undefined ? [] : [line.entry.replaceAll(`${root}/`, '')]));
  if (started.length > 0) return [...new Set(started)].filter((path) => !isAbsolute(path));
  const own = step.argv.includes('--test')
    ? undefined
    : step.argv.slice(1).findLast((word) => /\.[cm]?[jt]s$/.test(word));
  if (own !== undefined) return [relative(root, join(root, step.directory, own))];
  return [...new Set(tests.flatMap((test) => (test.file === undefined ? [] : [test.file])))];
}
