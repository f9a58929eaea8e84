import type { Check, SandboxBind } from '@capstan/contracts';
import { toolchainFor } from '@capstan/sandbox';

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
  searchPath: string,
): Promise<Toolchain | { readonly missing: readonly string[] }> {
  const first = check.argv[0] ?? '';
  const needed = [first, ...(COMPANIONS[first] ?? []), ...(check.directArgv?.slice(0, 1) ?? [])];
  const wanted = check.framework === 'make' ? [...needed, ...FOR_RECIPES] : needed;
  const { binds, environment, missing } = await toolchainFor([...new Set(wanted)], searchPath);
  const lacking = missing.filter((name) => needed.includes(name));
  return lacking.length > 0 ? { missing: lacking } : { binds, environment };
}
