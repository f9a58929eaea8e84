import type { Command } from '@capstan/contracts';
import { type PackageManager, readPackageManifest } from '../package-manifest.ts';
import type { RepositoryReader } from '../repository-reader.ts';
import { freeWords } from './free-words.ts';

/** What npm runs by itself, or what only makes sense with a network. */
const lifecycle =
  /^((pre|post)?(install|uninstall|publish|pack|version|restart)|prepare|prepublish(Only)?|postprepare|preprepare)$/;
const placeholderTest = /no test specified/i;
/** Names that a package manager takes for nothing else. */
const plainName = /^[\p{L}\p{N}_.][\p{L}\p{N}_.:/+-]{0,99}$/u;
const mostScripts = 100;

/** The scripts of a package.json, and, beside one, a file of the workspace run by node. */
export async function scriptCommands(reader: RepositoryReader, manager: PackageManager): Promise<Command[]> {
  const manifest = await readPackageManifest(reader);
  if (manifest === undefined) return [];
  const names = Object.keys(manifest.scripts);
  const own = names.filter((name) => {
    const hooked = /^(pre|post)(.+)$/.exec(name)?.[2];
    const isHook = hooked !== undefined && names.includes(hooked);
    return (
      plainName.test(name) && !lifecycle.test(name) && !isHook && !placeholderTest.test(manifest.scripts[name] ?? '')
    );
  });
  return [...own.slice(0, mostScripts).map((name) => scriptCommand(manager, name)), nodeFile];
}

function scriptCommand(manager: PackageManager, name: string): Command {
  return {
    id: `${manager}:${name}`,
    kind: 'other',
    isCheck: false,
    ...freeWords(scriptArgv(manager, name)),
    directory: '.',
    source: `package.json scripts.${name}`,
  };
}

/** How a script is called so that words behind it reach it, and not its package manager. */
export function scriptArgv(manager: PackageManager, name: string): string[] {
  return [manager, 'run', name, ...(manager === 'npm' ? ['--'] : [])];
}

const nodeFile: Command = {
  id: 'node:file',
  kind: 'other',
  isCheck: false,
  description: 'Runs a JavaScript file of the workspace',
  argv: ['node', '{file}', '{arguments}'],
  parameters: [
    { name: 'file', type: 'path', optional: false, many: false },
    { name: 'arguments', type: 'arguments', optional: true, many: true },
  ],
  directory: '.',
  source: 'package.json',
};
