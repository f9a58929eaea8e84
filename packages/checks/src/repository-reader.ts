/**
 * How detection looks into a repository. Paths are relative to its root, with "/"; whoever implements it keeps them
 * inside. What is not there is an answer, not an error.
 */
export interface RepositoryReader {
  /** The text of a file, `undefined` where there is none (or it is too large to be a manifest). */
  readText(path: string): Promise<string | undefined>;
  /** The names in a folder, folders with a trailing "/"; empty where there is no such folder. "." is the root. */
  list(path: string): Promise<string[]>;
}
