import type { Check, SandboxBind } from '@capstan/contracts';
import { toolchainFor } from '@capstan/sandbox';
import type { ExecOptions } from './exec-options.ts';
import { installedProgram } from './installed-program.ts';
import { virtualEnvironment } from './virtual-environment.ts';

/** What a run needs of the host's programs: read-only binds and the environment that goes with them. */
export interface Toolchain {
  readonly binds: readonly SandboxBind[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What is to be found for a run. */
export interface ToolchainNeed {
  /** Relative to the workspace, "." for its root. */
  readonly directory: string;
  /** Without these it cannot run. */
  readonly programs: readonly string[];
  /** Whether it may call anything: then the usual toolchains are shown as well, where they are installed. */
  readonly callsOthers: boolean;
  /** Whether python is that of the workspace's virtual environment, where there is one. */
  readonly usesPython: boolean;
}

/** Programs that come with the first word of a command; without them it cannot run. */
const companions: Readonly<Record<string, readonly string[]>> = {
  npm: ['node'],
  pnpm: ['node'],
  yarn: ['node'],
  cargo: ['rustc'],
};

/** A recipe may call anything: these are made visible where they are installed. */
const forRecipes = ['node', 'npm', 'python3', 'cargo', 'go'];

/** What a check needs. */
export function needOfCheck({ argv, directArgv, directory, framework }: Check): ToolchainNeed {
  const first = argv[0] ?? '';
  return {
    directory,
    programs: [first, ...(companions[first] ?? []), ...(directArgv?.slice(0, 1) ?? [])],
    callsOthers: framework === 'make',
    usesPython: framework === 'make' || framework === 'pytest',
  };
}

/** What any other command needs. */
export function needOfCommand(argv: readonly string[], directory: string): ToolchainNeed {
  const first = argv[0] ?? '';
  const programs = [first, ...(companions[first] ?? [])];
  return { directory, programs, callsOthers: true, usesPython: true };
}

/** Looks for the toolchain of a run, or says which programs of it are missing. */
export async function findToolchain(
  need: ToolchainNeed,
  options: ExecOptions,
): Promise<Toolchain | { readonly missing: readonly string[] }> {
  const own = need.usesPython ? virtualEnvironment(need.directory, options) : undefined;
  // A virtual environment brings its own python: the links in it lead to the one that it was made from.
  const named = need.programs.map((name) => (name === 'python3' && own !== undefined ? own.python : name));
  const [first = ''] = named;
  const installed = need.callsOthers ? installedProgram(first, need.directory, options, own) : undefined;
  const needed = named.filter((name) => name !== first || installed === undefined);
  const wanted = need.callsOthers ? [...needed, ...forRecipes, ...(own ? [own.python] : [])] : needed;
  const { binds, environment, missing } = await toolchainFor([...new Set(wanted)], options.searchPath);
  const lacking = missing.filter((name) => needed.includes(name));
  if (lacking.length > 0) return { missing: lacking };
  const path = [...(own ? [`${own.inside}/bin`] : []), ...(installed ?? []), environment.PATH ?? ''].join(':');
  return {
    // Below the toolchain, part of which may lie in the checkout.
    binds: [...(own?.alias ?? []), ...binds],
    environment: { ...environment, PATH: path, ...(own ? { VIRTUAL_ENV: own.inside } : {}) },
  };
}
