import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { workspaceInside } from '@capstan/contained-server';
import type { SandboxBind, SandboxLimits, SandboxProfile } from '@capstan/contracts';
import type { ExecOptions } from './exec-options.ts';
import { reportsInside } from './report-folder.ts';
import type { Toolchain } from './toolchain.ts';

const BASE_ENVIRONMENT: Readonly<Record<string, string>> = {
  CI: '1',
  NO_COLOR: '1',
  TERM: 'dumb',
  // There is no network: tools that would wait for one are told so.
  CARGO_NET_OFFLINE: 'true',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
  npm_config_audit: 'false',
  npm_config_cache: '/tmp/npm-cache',
  // Byte code would show up as changes of the workspace.
  PYTHONDONTWRITEBYTECODE: '1',
};

/** What a run may see: the workspace, its dependencies, the toolchain, a folder for its report; and nothing else. */
export interface ProfileParts {
  readonly options: ExecOptions;
  /** Relative to the workspace, "." for its root. */
  readonly directory: string;
  readonly toolchain: Toolchain;
  /** Those of the options, with a place for what overlays write. */
  readonly binds: readonly SandboxBind[];
  /** Writable folders over the caches of read-only dependencies. */
  readonly caches: readonly SandboxBind[];
  /** A folder of the host to which the run may write its report. */
  readonly reportFolder?: string;
  readonly masked: readonly string[];
  readonly limits: SandboxLimits;
  /** What the request for a report adds to the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The profile of one run (requirement G8). Nothing of this server's own environment goes in. */
export function execProfile(parts: ProfileParts): SandboxProfile {
  const { options, directory, toolchain, reportFolder } = parts;
  const git = join(options.root, '.git');
  return {
    binds: [
      ...toolchain.binds,
      { from: options.root, to: workspaceInside, access: 'write' },
      ...(existsSync(git) ? [{ from: git, to: `${workspaceInside}/.git`, access: 'read' as const }] : []),
      ...parts.binds,
      ...parts.caches,
      ...(reportFolder === undefined ? [] : [{ from: reportFolder, to: reportsInside, access: 'write' as const }]),
    ],
    masked: [...parts.masked, ...['config', 'hooks'].map((name) => join(git, name)).filter((path) => existsSync(path))],
    environment: { ...BASE_ENVIRONMENT, ...toolchain.environment, ...parts.environment },
    workingDirectory: posix.join(workspaceInside, directory),
    limits: parts.limits,
  };
}
