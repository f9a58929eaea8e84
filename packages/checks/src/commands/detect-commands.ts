import type { Check, Command } from '@capstan/contracts';
import { detectChecks } from '../detect-checks.ts';
import { type PackageManager, packageManagerOf } from '../package-manifest.ts';
import { declaredWorkspaces } from '../packages/declared-workspaces.ts';
import { findPackages } from '../packages/find-packages.ts';
import { packageReader } from '../packages/package-reader.ts';
import type { RepositoryReader } from '../repository-reader.ts';
import { freeWords } from './free-words.ts';
import { makeCommands } from './make-commands.ts';
import { nativeCommands } from './native-commands.ts';
import { pythonCommands } from './python-commands.ts';
import { scriptArgv, scriptCommands } from './script-commands.ts';

/**
 * All commands that a repository brings along (requirement T10), its checks first; those of its packages have "@" and the
 * package's folder behind their ids. Pure but for the reader. The table of what is found stands in the README of the exec
 * server.
 */
export async function detectCommands(reader: RepositoryReader): Promise<Command[]> {
  const checks = await detectChecks(reader);
  const manager = (await packageManagerOf(reader)) ?? 'npm';
  const commands = [...checks.map(commandOfCheck), ...(await detectIn(reader, manager))];
  for (const folder of await findPackages(reader, await declaredWorkspaces(reader))) {
    const inside = packageReader(reader, folder);
    const found = await detectIn(inside, (await packageManagerOf(inside)) ?? manager);
    commands.push(...found.map((command) => moved(command, folder)));
  }
  const ids = new Set<string>();
  return commands.filter(({ id }) => !ids.has(id) && ids.add(id));
}

async function detectIn(reader: RepositoryReader, manager: PackageManager): Promise<Command[]> {
  const [scripts, native, python, make] = await Promise.all([
    scriptCommands(reader, manager),
    nativeCommands(reader),
    pythonCommands(reader),
    makeCommands(reader),
  ]);
  return [...scripts, ...native, ...python, ...make];
}

function moved(command: Command, folder: string): Command {
  const source = `${folder}/${command.source}`;
  return { ...command, id: `${command.id}@${folder}`, directory: folder, source };
}

/** A check as a command: with room for words behind it where they reach its runner. */
function commandOfCheck(check: Check): Command {
  const { id, kind, argv, directory, source } = check;
  const open = appendable(check);
  const words = open === undefined ? { argv, parameters: [] } : freeWords(open);
  return { id, kind, isCheck: true, ...words, directory, source };
}

function appendable({ id, kind, framework, argv, appendableArgv }: Check): readonly string[] | undefined {
  if (appendableArgv !== undefined) return appendableArgv;
  if (['pytest', 'cargo', 'go'].includes(framework) || id.startsWith('node:test')) return argv;
  const [manager = ''] = argv;
  const [, name = ''] = id.split(/[:@]/);
  return kind !== 'test' && isManager(manager) ? scriptArgv(manager, name) : undefined;
}

function isManager(program: string): program is PackageManager {
  return program === 'npm' || program === 'pnpm' || program === 'yarn';
}
