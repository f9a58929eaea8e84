import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ServerCommand } from './server-command.ts';

/** Programs that are given the server's own program as their first argument that is no option. */
const interpreters = /^(?:node|deno|bun|tsx|python[\d.]*|ruby|perl|php|sh|bash|java|dotnet)$/;
const projectMarks = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', '.git'];

/**
 * The folder that a server's own program needs to be read for, as a real path: of an installed package the
 * `node_modules` that it stands in, else the folder that it is started from where that holds it, else its project.
 * Undefined for programs that are found on the PATH.
 */
export function programFolder(server: ServerCommand): string | undefined {
  const program = programFile(server);
  if (program === undefined) return undefined;
  const modules = /^(.*?\/node_modules)\//.exec(program)?.[1];
  if (modules !== undefined) return modules;
  const folder = realpathSync(server.folder);
  return program.startsWith(`${folder}/`) ? folder : projectOf(program);
}

/** The file that is the server, as a real path; undefined where it is a program of the PATH. */
function programFile({ command, args, folder }: ServerCommand): string | undefined {
  const word = interpreters.test(basename(command)) ? args.find((argument) => !argument.startsWith('-')) : command;
  if (word === undefined) return undefined;
  const path = resolve(folder, word);
  const isFile = existsSync(path) && statSync(path).isFile();
  return isFile && (word !== command || word.includes('/')) ? realpathSync(path) : undefined;
}

function projectOf(program: string): string {
  for (let folder = dirname(program); dirname(folder) !== folder; folder = dirname(folder)) {
    if (projectMarks.some((mark) => existsSync(join(folder, mark)))) return folder;
  }
  return dirname(program);
}
