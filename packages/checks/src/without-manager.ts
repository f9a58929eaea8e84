import type { Check } from '@capstan/contracts';
import { readPackageManifest } from './package-manifest.ts';
import { packageReader } from './packages/package-reader.ts';
import type { RepositoryReader } from './repository-reader.ts';

/** A check that is run otherwise than the repository says, and what a reader has to know about that. */
export interface SubstituteCheck {
  readonly check: Check;
  readonly note: string;
}

const MANAGERS = new Set(['yarn', 'pnpm']);

/**
 * The same check without its package manager, where that one is not installed: by npm where its scripts do not call the
 * manager themselves, else by the runner behind the script. Undefined where neither can be.
 */
export async function withoutManager(reader: RepositoryReader, check: Check): Promise<SubstituteCheck | undefined> {
  const [manager = '', ...words] = check.argv;
  if (!MANAGERS.has(manager)) return undefined;
  const scripts = (await readPackageManifest(packageReader(reader, check.directory)))?.scripts ?? {};
  const name = words.at(-1) ?? '';
  if (!callsManagers(scripts, name)) {
    const argv = name === 'test' ? ['npm', 'test'] : ['npm', 'run', name];
    const appendable = check.appendableArgv === undefined ? {} : { appendableArgv: [...argv, '--'] };
    return {
      check: { ...check, argv, ...appendable },
      note: `${manager} is not installed: ${argv.join(' ')} ran instead.`,
    };
  }
  const { directArgv } = check;
  if (directArgv === undefined) return undefined;
  const { appendableArgv: _appendable, ...rest } = check;
  const note = `${manager} is not installed: ${directArgv.slice(0, 2).join(' ')} ran instead, without the other steps of the script.`;
  return { check: { ...rest, argv: [...directArgv] }, note };
}

/** Whether a script calls yarn or pnpm, or one that npm runs before, after or below it does. */
function callsManagers(
  scripts: Readonly<Record<string, string>>,
  name: string,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (seen.has(name)) return false;
  const inner = new Set([...seen, name]);
  return [`pre${name}`, name, `post${name}`].some((one) => {
    const script = Object.hasOwn(scripts, one) ? (scripts[one] ?? '') : '';
    if (/(^|[\s;&|(])(yarn|pnpm|pnpx)(\s|$)/.test(script)) return true;
    const called = [...script.matchAll(/\bnpm (?:run(?:-script)? )?(?:-\S+ )*([\w:.-]+)/g)].map(
      ([, target = '']) => target,
    );
    return called.some((target) => callsManagers(scripts, target, inner));
  });
}
