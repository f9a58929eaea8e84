import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CapstanError, parseJson } from '@capstan/contracts';
import { z } from 'zod';
import type { ServerCommand } from './server-command.ts';
import { withoutComments } from './without-comments.ts';

const Command = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
});
/** Older files of Zed have the path of the program one level deeper. */
const ZedCommand = z.looseObject({
  command: z.looseObject({ path: z.string().min(1), args: Command.shape.args, env: Command.shape.env }),
});
const Remote = z.looseObject({ url: z.string() });
const Entries = z.record(z.string(), z.unknown());
/** Claude Desktop, Cursor and others; VS Code; Zed. */
const ServersFile = z.union([
  z.looseObject({ mcpServers: Entries }).transform((file) => file.mcpServers),
  z.looseObject({ servers: Entries }).transform((file) => file.servers),
  z.looseObject({ context_servers: Entries }).transform((file) => file.context_servers),
]);

/** A server that a file names, or why it cannot be looked at. */
export type FoundServer = ServerCommand | { readonly name: string; readonly problem: string };

/** The servers that a host's file names, in its order. Throws `usage` for a file that cannot be read or names none. */
export async function readServerFile(path: string): Promise<FoundServer[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unusable(path, cause instanceof Error ? cause.message : String(cause));
  });
  const value = parseJson(withoutComments(text));
  if (value === undefined) throw unusable(path, 'it is no JSON');
  const parsed = ServersFile.safeParse(value);
  if (!parsed.success) throw unusable(path, 'it has none of mcpServers, servers and context_servers');
  return Object.entries(parsed.data).map(([name, entry]) => readEntry(name, entry, dirname(path)));
}

function readEntry(name: string, entry: unknown, folder: string): FoundServer {
  const zed = ZedCommand.safeParse(entry).data;
  const found = Command.safeParse(zed === undefined ? entry : { ...zed.command, command: zed.command.path }).data;
  if (found === undefined) {
    const isRemote = Remote.safeParse(entry).success;
    return {
      name,
      problem: isRemote
        ? 'it is reached over HTTP: only servers that a command starts are looked at'
        : 'it has no command',
    };
  }
  const { command, args, env: environment, cwd } = found;
  return { name, command, args, environment, folder: cwd === undefined ? folder : resolve(folder, cwd) };
}

function unusable(path: string, reason: string): CapstanError {
  return new CapstanError('usage', `${path} cannot be used: ${reason}.`, {
    hint: 'Name a file such as {"mcpServers": {"files": {"command": "node", "args": ["server.js"]}}}.',
  });
}
