import type { SandboxProfile } from '@capstan/contracts';
import { defaultLimits, type OverlayUppers } from '@capstan/sandbox';
import { secretFiles } from '@capstan/workspace';
import { cacheBinds } from './dependency-caches.ts';
import type { ExecOptions } from './exec-options.ts';
import { execProfile } from './exec-profile.ts';
import { protectedBinds } from './protected-binds.ts';
import type { Toolchain } from './toolchain.ts';

/** Where something runs, and with what. */
export interface RunPlace {
  /** Relative to the workspace, "." for its root. */
  readonly directory: string;
  readonly toolchain: Toolchain;
  /** Patterns of paths that are read-only. */
  readonly protect?: readonly string[];
  /** A folder of the host to which a report may be written. */
  readonly reportFolder?: string;
}

/** What changes from one start to the next. */
export interface StartLimits {
  readonly milliseconds: number;
  readonly outputBytes: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A place in which commands can be started until it is disposed of. */
export interface PreparedRun extends AsyncDisposable {
  profile(limits: StartLimits): SandboxProfile;
}

/** Looks for what has to be masked, and takes an upper folder for what is written over dependencies. */
export async function prepareRun(
  { options, uppers }: { readonly options: ExecOptions; readonly uppers: OverlayUppers },
  place: RunPlace,
): Promise<PreparedRun> {
  const [masked, caches, fixed] = await Promise.all([
    secretFiles(options.root),
    cacheBinds(options),
    protectedBinds(options.root, place.protect ?? []),
  ]);
  const use = await uppers.kept(options.binds);
  return {
    profile: ({ milliseconds, outputBytes, environment = {} }) =>
      execProfile({
        ...place,
        options,
        binds: [...use.binds, ...fixed],
        caches,
        masked,
        environment,
        limits: { ...defaultLimits, milliseconds, outputBytes },
      }),
    [Symbol.asyncDispose]: () => use.end(),
  };
}

/** What a run would see, without taking anything: for a dry run. */
export async function planRun(options: ExecOptions, place: RunPlace, limits: StartLimits): Promise<SandboxProfile> {
  const { milliseconds, outputBytes, environment = {} } = limits;
  const masked = await secretFiles(options.root);
  const fixed = await protectedBinds(options.root, place.protect ?? []);
  return execProfile({
    ...place,
    options,
    binds: [...options.binds, ...fixed],
    caches: [],
    masked,
    environment,
    limits: { ...defaultLimits, milliseconds, outputBytes },
  });
}
