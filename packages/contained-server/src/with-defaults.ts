import { preflight } from '@capstan/sandbox';

/** Where toolchains usually lie, for a host that starts its servers without any PATH. */
const usualPath = '/usr/local/bin:/usr/bin:/bin';

/**
 * A server's options, as the command line writes them (`--name=value`), with what a person may leave open: toolchains are
 * looked for on the PATH, and code runs in the sandbox that works on this machine (`--sandbox=auto` says the same).
 */
export async function withDefaults(
  argv: readonly string[],
  environment: { readonly PATH?: string | undefined },
): Promise<readonly string[]> {
  const given = (name: string) => argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const searchPath = given('search-path') ?? (environment.PATH || usualPath);
  const sandbox = given('sandbox') ?? 'auto';
  const kind = sandbox === 'auto' ? (await preflight({ searchPath, node: process.execPath })).kind : sandbox;
  const others = argv.filter((word) => !/^--(?:sandbox|search-path)=/.test(word));
  return [...others, `--sandbox=${kind}`, `--search-path=${searchPath}`];
}
