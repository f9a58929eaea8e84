/** One changed file of a session's workspace against the checkout it started from. */
export interface FileChange {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
  /** Files that run code or steer agents elsewhere (CI, hooks, package scripts...): held at `apply` until a human has seen them. */
  readonly trustBearing: boolean;
}

export interface WorkspaceDiff {
  /** Unified diff that `git apply` takes; empty when nothing changed. */
  readonly text: string;
  readonly changes: readonly FileChange[];
}

/** A session's own copy of the checkout (requirement A6): what the graph may do with it outside tools. */
export interface Workspace {
  /** Absolute path of the folder in which tools work. */
  readonly root: string;
  /** Keeps the present content and returns its tree id. */
  snapshot(): Promise<string>;
  /** Brings the content of a snapshot back; files that appeared since are removed, ignored ones stay. */
  restore(tree: string): Promise<void>;
  diff(): Promise<WorkspaceDiff>;
}
