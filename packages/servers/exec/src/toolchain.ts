import type { Check, SandboxBind } from '@capstan/contracts';
import { toolchainFor } from '@capstan/sandbox';
import type { ExecOptions } from './exec-options.ts';
import { virtualEnvironment } from './virtual-environment.ts';

/** What a check needs of the host's programs: read-only binds and the environment that goes with them. */
export interface Toolchain {
  readonly binds: readonly SandboxBind[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Programs that come with the first word of a check; without them it cannot run. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  npm: ['node'],
  pnpm: ['node'],
  yarn: ['node'],
  cargo: ['rustc'],
};

/** A recipe may call anything: these are made visible where they are installed. */
const FOR_RECIPES = ['node', 'npm', 'python3', 'cargo', 'go'];

/** Looks for the toolchain of a check, or says which programs of it are missing. */
export async function findToolchain(
  check: Check,
  options: ExecOptions,
): Promise<Toolchain | { readonly missing: readonly string[] }> {
  const { searchPath } = options;
  const own = virtualEnvironment(check, options);
  const first = check.argv[0] ?? '';
  // A virtual environment brings its own python: the links in it lead to the one that it was made from.
  const needed = [first, ...(COMPANIONS[first] ?? []), ...(check.directArgv?.slice(0, 1) ?? [])].map((name) =>
    name === 'python3' && own !== undefined ? own.python : name,
  );
  const wanted = check.framework === 'make' ? [...needed, ...FOR_RECIPES, ...(own ? [own.python] : [])] : needed;
  const { binds, environment, missing } = await toolchainFor([...new Set(wanted)], searchPath);
  const lacking = missing.filter((name) => needed.includes(name));
  if (lacking.length > 0) return { missing: lacking };
  if (own === undefined) return { binds, environment };
  return {
    // Below the toolchain, part of which may lie in the checkout.
    binds: [...own.alias, ...binds],
    environment: {
      ...environment,
      PATH: `${own.inside}/bin:${environment.PATH ?? ''}`,
      VIRTUAL_ENV: own.inside,
    },
  };
}
