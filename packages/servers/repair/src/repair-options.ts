import { type ContainedOptions, readContainedOptions } from '@capstan/contained-server';

/** Where our runtime files lie inside the sandbox. */
export const runtimeInside = '/capstan/repair';

/** How one repair server was started. Its state folder keeps its answers; the workspace is never written to. */
export interface RepairOptions extends ContainedOptions {
  /** Patterns of paths that no patch changes. */
  readonly protect: readonly string[];
}

/** Reads the command line of the server. Throws `usage` with what was wrong. */
export function readOptions(argv: readonly string[]): RepairOptions {
  const { options, own } = readContainedOptions('repair', argv, ['protect']);
  const binds = options.binds.map((bind) => (bind.access === 'write' ? { ...bind, access: 'read' as const } : bind));
  return { ...options, binds, protect: own('protect') };
}
