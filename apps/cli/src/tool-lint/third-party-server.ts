import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { CapstanError, type SandboxBind } from '@capstan/contracts';
import type { ServerSpec } from '@capstan/gateway';
import { defaultLimits, toolchainFor } from '@capstan/sandbox';
import { secretFiles } from '@capstan/workspace';
import type { Settings } from '../settings.ts';
import { installedProgram } from './installed-program.ts';
import { programFolder } from './program-folder.ts';
import type { ServerCommand } from './server-command.ts';

/**
 * How a server that is not ours is started in the sandbox (requirement G8): its toolchain and the folder of its program
 * are there to be read, without the secrets in it; other folders that its arguments name are there and empty. Throws
 * `server-failed` where it cannot be started like that.
 */
export async function thirdPartyServer(
  given: ServerCommand,
  { settings, emptyFolder }: { readonly settings: Settings; readonly emptyFolder: string },
): Promise<ServerSpec> {
  const server = await installedProgram(given, settings);
  const toolchain = await toolchainFor([commandPath(server)], settings.searchPath);
  const program = programFolder(server);
  if (toolchain.missing.length > 0 && program === undefined) throw notFound(server);
  if (program !== undefined) refuseHome(server, program, settings);
  return {
    name: server.name,
    trust: 'third-party',
    command: commandPath(server),
    args: server.args,
    environment: server.environment,
    profile: {
      binds: [
        ...toolchain.binds,
        ...(program === undefined ? [] : [{ from: program, to: program, access: 'read' as const }]),
        ...emptyFolders(server, program, emptyFolder),
      ],
      masked: program === undefined ? [] : await secretFiles(program),
      environment: toolchain.environment,
      workingDirectory: program ?? '/tmp',
      limits: defaultLimits,
    },
  };
}

/** A path is made absolute; a name is found on the PATH. */
function commandPath({ command, folder }: ServerCommand): string {
  return command.includes('/') ? resolve(folder, command) : command;
}

/** Many servers end when a folder that they are given is not there. */
function emptyFolders({ args }: ServerCommand, program: string | undefined, from: string): SandboxBind[] {
  const named = args.filter((argument) => isAbsolute(argument) && argument !== '/' && isFolder(argument));
  const hidden = named.filter((folder) => program === undefined || !`${program}/`.startsWith(`${folder}/`));
  const outside = hidden.filter((folder) => program === undefined || !folder.startsWith(`${program}/`));
  return [...new Set(outside)].map((to) => ({ from, to, access: 'read' }));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function refuseHome({ name }: ServerCommand, folder: string, { homeFolder }: Settings): void {
  if (!`${homeFolder}/`.startsWith(folder === '/' ? '/' : `${folder}/`)) return;
  throw new CapstanError('server-failed', `The server ${name} is not started: its program lies in ${folder} itself.`, {
    hint: 'Put it in a folder of its own: what is in your home folder is not shown to servers.',
  });
}

function notFound({ name, command }: ServerCommand): CapstanError {
  return new CapstanError(
    'server-failed',
    `The server ${name} is not started: ${command} cannot be run in the sandbox.`,
    {
      hint: 'Give the path of its program, or the interpreter with the path: capstan tools lint -- node build/index.js',
    },
  );
}
