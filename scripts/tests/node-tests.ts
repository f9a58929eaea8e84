import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { type TestFailure, type TestSkip, type TestSummary, testId } from './summary.ts';

const fileMilliseconds = 15 * 60_000;
const shownOutput = 4000;

/** The parts of node:test's events that are read here; the published types lack some of them. */
interface TestEvent {
  readonly name: string;
  readonly file?: string | undefined;
  readonly entryFile?: string;
  /** Name of the suite or test around it. */
  readonly classname?: string;
  readonly skip?: string | boolean | undefined;
  readonly todo?: string | boolean | undefined;
  readonly details: { readonly type?: string | undefined; readonly error?: unknown };
}

/** Runs test files (relative to the root) on node:test, each in a process of its own, and says a line for each. */
export async function runNodeTests(
  root: string,
  files: readonly string[],
  concurrency: number,
  say: (line: string) => void,
): Promise<TestSummary> {
  const collector = new Collector(root);
  const absolute = files.map((file) => join(root, file));
  const stream = run({ files: absolute, concurrency, cwd: root, timeout: fileMilliseconds });
  stream.on('test:pass', (event) => collector.add(event, 'passed'));
  stream.on('test:fail', (event) => collector.add(event, 'failed'));
  stream.on('test:stderr', ({ file, message }) => collector.addOutput(file, message));
  stream.on('test:summary', ({ file, success, counts, duration_ms }) => {
    if (file === undefined) return;
    const verdict = success ? `${counts.passed} passed` : 'FAILED';
    say(`${relative(root, file)}: ${verdict} (${(duration_ms / 1000).toFixed(1)} s)`);
  });
  stream.resume();
  await new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
  return collector.summary(files);
}

/** Counts tests by file. A suite is no test, a failure of something inside is counted there, a file without tests fails. */
class Collector {
  readonly #root: string;
  readonly #filesWithTests = new Set<string>();
  readonly #output = new Map<string, string>();
  readonly #failures: TestFailure[] = [];
  readonly #skips: TestSkip[] = [];
  #passed = 0;

  constructor(root: string) {
    this.#root = root;
  }

  add(event: TestEvent, outcome: 'passed' | 'failed'): void {
    const path = event.entryFile ?? event.file ?? event.name;
    const file = relative(this.#root, path);
    const isFile = event.name === path;
    const id = isFile
      ? file
      : testId(file, event.classname === undefined ? [event.name] : [event.classname, event.name]);
    if (!isFile) this.#filesWithTests.add(file);
    if (outcome === 'failed') this.#addFailure(id, event.details.error, isFile ? path : undefined);
    else if (!isFile && event.details.type !== 'suite') this.#addSuccess(id, event.skip ?? event.todo);
  }

  addOutput(file: string, message: string): void {
    this.#output.set(file, ((this.#output.get(file) ?? '') + message).slice(-shownOutput));
  }

  summary(files: readonly string[]): TestSummary {
    const known = new Set(this.#failures.map(({ id }) => id));
    const empty = files
      .filter((file) => !this.#filesWithTests.has(file) && !known.has(file))
      .map((file) => ({ id: file, message: 'The file ran no test.' }));
    return { passed: this.#passed, failures: [...this.#failures, ...empty], skips: this.#skips };
  }

  #addSuccess(id: string, reason: string | boolean | undefined): void {
    if (reason === undefined || reason === false) this.#passed += 1;
    else this.#skips.push({ id, reason: typeof reason === 'string' ? reason : 'no reason given' });
  }

  #addFailure(id: string, error: unknown, wholeFile: string | undefined): void {
    if (isSumOfSubtests(error)) return;
    const output = wholeFile === undefined ? '' : `\n${this.#output.get(wholeFile) ?? ''}`;
    this.#failures.push({ id, message: `${describe(error)}${output}` });
  }
}

function isSumOfSubtests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed';
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause);
}
