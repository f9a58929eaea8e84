import type { CheckReport, TaskKind, Verification } from '@capstan/contracts';
import type { Claim } from './claims.ts';

/** Everything that the verdict rests on. */
export interface Evidence {
  readonly kind: TaskKind;
  /** Must the tests that failed before pass now? */
  readonly asksForRepair: boolean;
  /** Does the task ask for work after which tests may be gone? */
  readonly mayLoseTests: boolean;
  readonly before: readonly CheckReport[];
  readonly after: readonly CheckReport[];
  readonly unstable: ReadonlySet<string>;
  readonly changedFiles: readonly string[];
  /** Successful calls that looked at something or ran something. */
  readonly looks: number;
  readonly claims: readonly Claim[];
}

export type Verdict = Pick<Verification, 'verdict' | 'reason'>;
