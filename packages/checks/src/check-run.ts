/** What one process of a check left behind, as text. */
export interface CheckOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Files of the report folder by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** A run of a check, ready to be read. */
export interface CheckRun extends CheckOutput {
  readonly ended: 'exit' | 'timed-out' | 'cancelled' | 'not-started';
  readonly durationMs: number;
  /** The repository as the runner saw it, absolute: paths in reports are made relative to it. */
  readonly root: string;
  /** The second run that was made for its report only, where the request asked for one. */
  readonly details?: CheckOutput;
}
