/** A test that failed; `id` is its file and its names from suite to test. */
export interface TestFailure {
  readonly id: string;
  readonly message: string;
}

export interface TestSkip {
  readonly id: string;
  readonly reason: string;
}

export interface TestSummary {
  readonly passed: number;
  readonly failures: readonly TestFailure[];
  readonly skips: readonly TestSkip[];
}

/** How a test is named everywhere: `packages/x/src/y.test.ts#suite > test`. */
export function testId(file: string, names: readonly string[]): string {
  return `${file}#${names.join(' > ')}`;
}

export function joinSummaries(parts: readonly TestSummary[]): TestSummary {
  return {
    passed: parts.reduce((sum, part) => sum + part.passed, 0),
    failures: parts.flatMap((part) => part.failures),
    skips: parts.flatMap((part) => part.skips),
  };
}

/** The line that people and machines read last. */
export function totalLine({ passed, failures, skips }: TestSummary): string {
  const line = `${passed} passed, ${failures.length} failed`;
  return skips.length === 0 ? line : `${line}, ${skips.length} skipped`;
}
