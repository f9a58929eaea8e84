/** A small public library that mutants are made from: one module, pure functions, calls that show what it does. */
export interface Library {
  readonly name: string;
  /** Exact: figures are comparable only for the same text. */
  readonly version: string;
  /** The module inside of the package. */
  readonly file: string;
  readonly format: 'module' | 'commonjs';
  /** Calls from which further inputs are made. `of` is a path into the exports, empty for the export itself. */
  readonly calls: readonly { readonly of: string; readonly args: readonly unknown[] }[];
}

/** A call of a library's function. */
export type Call = Library['calls'][number];
