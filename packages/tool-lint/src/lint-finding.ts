/**
 * `error`: hosts or models go wrong, or it is dangerous. `warning`: models choose or call worse. `hint`: worth a thought,
 * and often right as it is.
 */
export type LintLevel = 'error' | 'warning' | 'hint';

/** One thing that a rule found. */
export interface LintFinding {
  readonly rule: string;
  readonly level: LintLevel;
  readonly server: string;
  /** Absent where it is about the server as a whole. */
  readonly tool?: string;
  /** What is wrong, as a sentence. May hold words of the server: not printable as they are. */
  readonly message: string;
  /** What to do about it, as a sentence. */
  readonly advice: string;
}
