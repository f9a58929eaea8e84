import { mkdir, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { ServerSpec } from '@capstan/gateway';
import { z } from 'zod';
import type { Settings } from './settings.ts';

/** What a server's package.json says that its process needs of `node --permission`. */
const ServerPermissions = z.object({
  capstan: z.object({
    server: z.object({
      read: z.array(z.string()).default([]),
      write: z.array(z.string()).default([]),
      childProcess: z.boolean().default(false),
      addons: z.boolean().default(false),
      /** With which it publishes its tools; the state folder is added where it has one. */
      arguments: z.array(z.string()).default(['--root', '{root}']),
    }),
  }),
});

/** Where a server of ours is started. */
export interface ServerPlace {
  readonly settings: Pick<Settings, 'installation' | 'node' | 'environment'>;
  /** The folder that it works on. */
  readonly root: string;
  /** Holds a folder for each server that keeps something. */
  readonly states: string;
}

/** What the gateway may assume of a server's tools, beside their tiers. */
export type Rights = Pick<ServerSpec, 'contained' | 'runs' | 'shells' | 'enabledDangerous' | 'callMilliseconds'>;

/** The names of our own servers: the folders of `packages/servers`. */
export async function officialServerNames({ installation }: Pick<Settings, 'installation'>): Promise<string[]> {
  const entries = await readdir(join(installation, 'packages', 'servers'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** One of our servers under `node --permission`, with the folders that its package.json asks for, made where they lack. */
export async function officialServer(
  name: string,
  args: readonly string[],
  rights: Rights,
  { settings, root, states }: ServerPlace,
): Promise<ServerSpec> {
  const folder = serverFolder(name, settings);
  const server = await readManifest(folder);
  const state = join(states, name);
  const needsState = [...server.read, ...server.write].includes('{state}');
  if (needsState) await mkdir(state, { recursive: true, mode: 0o700 });
  const cache = await compileCache(name, settings);
  const fill = (path: string) => path.replace('{root}', root).replace('{state}', state);
  const permissions = [
    '--permission',
    ...[
      join(settings.installation, 'packages'),
      join(settings.installation, 'node_modules'),
      ...server.read.map(fill),
      ...cache,
    ].map((path) => `--allow-fs-read=${path}`),
    ...[...server.write.map(fill), ...cache].map((path) => `--allow-fs-write=${path}`),
    ...(server.childProcess ? ['--allow-child-process'] : []),
    ...(server.addons ? ['--allow-addons'] : []),
  ];
  return {
    name,
    trust: 'official',
    command: settings.node,
    args: [...permissions, join(folder, 'src', 'main.ts'), ...args, ...(needsState ? ['--state', state] : [])],
    environment: Object.fromEntries(cache.map((folder) => ['NODE_COMPILE_CACHE', folder])),
    ...rights,
  };
}

/** One of our servers with the arguments of its package.json: enough to publish its tools. */
export async function bareOfficialServer(name: string, place: ServerPlace): Promise<ServerSpec> {
  const folder = serverFolder(name, place.settings);
  const server = await readManifest(folder);
  const fill = (text: string): string => text.replace('{root}', place.root).replace('{package}', folder);
  return officialServer(name, server.arguments.map(fill), {}, place);
}

function serverFolder(name: string, { installation }: Pick<Settings, 'installation'>): string {
  return join(installation, 'packages', 'servers', name);
}

async function readManifest(folder: string) {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return ServerPermissions.parse(manifest).capstan.server;
}

/**
 * The folder of a server's own, where Node keeps its compiled code between starts: half of the time that a start takes.
 * Each has its own because what lies there is executed: no server gets at the code of one that may do more. None where
 * the command line itself has none.
 */
async function compileCache(name: string, { environment }: Pick<Settings, 'environment'>): Promise<string[]> {
  const all = environment.NODE_COMPILE_CACHE;
  if (all === undefined || !isAbsolute(all)) return [];
  const folder = join(all, 'servers', name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch {
    return []; // A full or read-only disk: starting is slower then, and nothing else.
  }
  return [folder];
}
