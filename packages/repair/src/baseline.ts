import type { Check, Failure } from '@capstan/contracts';

export interface BaselineTest {
  /** The file that was started, then the names from suite to test. */
  readonly id: string;
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'unstable';
  readonly message?: string;
  readonly stack?: string;
}

/** Which probes one test reached in the unpatched program. */
export interface TestCoverage {
  readonly id: string;
  readonly failed: boolean;
  readonly steps: number;
  readonly hits: readonly number[];
}

/** Arguments with which a test called an exported function. */
export interface RecordedCall {
  readonly path: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The unpatched suite, run several times. */
export interface Baseline {
  readonly check: Check;
  readonly runs: number;
  readonly tests: readonly BaselineTest[];
  /** Files that the runner starts, each of which can be run by itself. */
  readonly files: readonly string[];
  /** Wall time of each of them by itself. */
  readonly fileMs: Readonly<Record<string, number>>;
  /**
   * `screened`: our quick harness sees failing tests of the unpatched suite fail and nearly all others pass, so
   * candidates are screened in it; `isolated`: it does not, so each runs under node:test in a process of its own.
   */
  readonly harness: 'screened' | 'isolated';
  /** Tests that our harness judges otherwise than node:test does: left out of screening. */
  readonly misjudged: readonly string[];
  /** Wall time of the suite in our harness. */
  readonly observedMs: number;
  readonly coverage: readonly TestCoverage[];
  /** Probes reached while modules were loaded. */
  readonly load: readonly number[];
  readonly calls: readonly RecordedCall[];
  readonly cpuMs: number;
}

export type Reproduction =
  | { readonly kind: 'baseline'; readonly baseline: Baseline }
  | { readonly kind: 'none-failing'; readonly passing: number }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** Ids of the baseline's tests with a status, in the order of the report. */
export function testsWith(baseline: Baseline, status: BaselineTest['status']): string[] {
  return baseline.tests.filter((test) => test.status === status).map((test) => test.id);
}
