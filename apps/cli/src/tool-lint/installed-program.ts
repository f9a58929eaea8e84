import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CapstanError, parseJson } from '@capstan/contracts';
import { z } from 'zod';
import type { Settings } from '../settings.ts';
import type { ServerCommand } from './server-command.ts';

const Manifest = z.looseObject({
  name: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

/**
 * `npx PACKAGE` would download and run: in the sandbox there is no network, so it becomes the program that is already
 * installed, in a `node_modules` above the folder or in npm's own cache. Other commands stay as they are. Throws
 * `server-failed` when the package is not installed.
 */
export async function installedProgram(
  server: ServerCommand,
  { homeFolder, node }: Pick<Settings, 'homeFolder' | 'node'>,
): Promise<ServerCommand> {
  if (basename(server.command) !== 'npx') return server;
  const at = server.args.findIndex((argument) => !argument.startsWith('-'));
  const wanted = packageName(server.args[at] ?? '');
  const places = [...modulesAbove(server.folder), ...npxCaches(homeFolder)];
  const program = places.map((modules) => programOf(join(modules, wanted))).find((path) => path !== undefined);
  if (wanted === '' || program === undefined) throw notInstalled(server.name, wanted);
  return { ...server, command: node, args: [program, ...server.args.slice(at + 1)] };
}

/** Without its version: `@scope/name@1.2` is `@scope/name`. */
function packageName(word: string): string {
  return /^(@[\w.-]+\/)?[\w.-]+/.exec(word)?.[0] ?? '';
}

function modulesAbove(start: string): string[] {
  const found = [];
  for (let folder = start; ; folder = dirname(folder)) {
    found.push(join(folder, 'node_modules'));
    if (dirname(folder) === folder) return found;
  }
}

function npxCaches(homeFolder: string): string[] {
  const cache = join(homeFolder, '.npm', '_npx');
  if (!existsSync(cache)) return [];
  return readdirSync(cache).map((name) => join(cache, name, 'node_modules'));
}

/** The program of a package that has one, or one of its own name. */
function programOf(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  const manifest = existsSync(path) ? Manifest.safeParse(parseJson(readFileSync(path, 'utf8'))).data : undefined;
  if (manifest === undefined) return undefined;
  const { name, bin } = manifest;
  if (typeof bin === 'string') return join(folder, bin);
  const programs = Object.values(bin);
  const chosen = bin[basename(name)] ?? (programs.length === 1 ? programs[0] : undefined);
  return chosen === undefined ? undefined : join(folder, chosen);
}

function notInstalled(server: string, wanted: string): CapstanError {
  return new CapstanError(
    'server-failed',
    `The server ${server} is not started: npx would download ${wanted || 'it'}.`,
    {
      hint: `In the sandbox there is no network. Install it first, and run this in that folder: npm install ${wanted || 'PACKAGE'}`,
    },
  );
}
