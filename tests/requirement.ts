/**
 * What one thing that Capstan has to do is shown by: `done` and `partly` name tests as `file` or
 * `file#start of a test's name`; `partly` says in its note what is missing.
 */
export interface Requirement {
  readonly status: 'done' | 'partly' | 'open';
  readonly tests: readonly string[];
  readonly note?: string;
}
