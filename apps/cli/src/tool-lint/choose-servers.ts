import { resolve } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { officialServerNames } from '../official-server.ts';
import type { Settings } from '../settings.ts';
import { type FoundServer, readServerFile } from './read-server-file.ts';

/** A server to look at: one of ours by its name, or one that a command starts. */
export type ChosenServer = FoundServer | { readonly official: string };

export interface Choice {
  readonly names: readonly string[];
  /** A host's file, as the person wrote it. */
  readonly file: string | undefined;
  /** What stands behind `--`. */
  readonly command: readonly string[] | undefined;
}

/** Which servers a command line means. Throws `usage` for names that are none, and for two ways at once. */
export async function chooseServers(choice: Choice, settings: Settings): Promise<readonly ChosenServer[]> {
  const { names, file, command } = choice;
  if (command !== undefined) {
    if (names.length > 0 || file !== undefined) throw wrongUse('A command after -- is looked at alone.');
    return [ofCommand(command, settings)];
  }
  if (file === undefined) {
    const known = await officialServerNames(settings);
    return pick(known, names, (name) => name, 'capstan').map((official) => ({ official }));
  }
  const path = resolve(settings.currentFolder, file);
  return pick(await readServerFile(path), names, ({ name }) => name, path);
}

function ofCommand([command, ...args]: readonly string[], { currentFolder }: Settings): ChosenServer {
  if (command === undefined) throw wrongUse('The command after -- is missing.');
  return { name: 'server', command, args, environment: {}, folder: currentFolder };
}

function pick<Server>(
  servers: readonly Server[],
  names: readonly string[],
  nameOf: (server: Server) => string,
  place: string,
): readonly Server[] {
  const known = servers.map(nameOf);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new CapstanError('usage', `There is no server "${unknown}" in ${place}.`, {
      hint: known.length === 0 ? 'It names no server at all.' : `Servers: ${known.join(', ')}.`,
    });
  }
  return names.length === 0 ? servers : servers.filter((server) => names.includes(nameOf(server)));
}

function wrongUse(message: string): CapstanError {
  return new CapstanError('usage', message, { hint: 'See capstan tools --help.' });
}
