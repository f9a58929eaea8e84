import type { SandboxProfile, SandboxRunner } from '@capstan/contracts';

/** What repair needs from outside: it runs nothing except through `runner`. */
export interface RepairDeps {
  readonly runner: SandboxRunner;
  /** How repository code is contained: the workspace (read access is enough), the tool chain, PATH, limits. */
  readonly profile: SandboxProfile;
  /** The workspace on the host, for reading sources. */
  readonly root: string;
  /** The workspace as seen inside the sandbox. */
  readonly workspaceInside: string;
  /** Where the runtime files of this package appear inside, e.g. "/capstan/repair". */
  readonly runtimeInside: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}
