import { mkdir, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Config } from '@capstan/config';
import type { SandboxBind, SandboxKind } from '@capstan/contracts';
import type { ServerSpec } from '@capstan/gateway';
import type { SessionWorkspace } from '@capstan/workspace';
import { z } from 'zod';
import type { BroughtAlong } from './bring-along.ts';
import type { Settings } from './settings.ts';

interface Request {
  readonly settings: Settings;
  readonly workspace: SessionWorkspace;
  readonly sandboxKind: SandboxKind;
  readonly brought: BroughtAlong;
  readonly config: Pick<Config, 'checks' | 'protect'>;
}

/** What a server's package.json says that its process needs of `node --permission`. */
const ServerPermissions = z.object({
  capstan: z.object({
    server: z.object({
      read: z.array(z.string()).default([]),
      write: z.array(z.string()).default([]),
      childProcess: z.boolean().default(false),
      addons: z.boolean().default(false),
    }),
  }),
});

/** Our own servers for one session, each a process with permissions of its own (requirement T1). */
export async function officialServers(request: Request): Promise<ServerSpec[]> {
  const { settings, workspace, sandboxKind, brought, config } = request;
  const { root } = workspace;
  const { kept, memory } = brought.overlays;
  const uppers = [...(kept ? ['kept'] : []), ...(memory ? ['memory'] : [])].join();
  const contained = [
    '--sandbox',
    sandboxKind,
    '--search-path',
    settings.searchPath,
    '--uppers',
    uppers,
    ...checkArguments(config),
  ];
  const protect = config.protect.flatMap((pattern) => [`--protect=${pattern}`]);
  const bound = (binds: readonly SandboxBind[]) =>
    binds.flatMap(({ from, to, access }) => ['--bind', JSON.stringify([from, to, access])]);
  const open = (name: string, args: readonly string[], rights: Rights) => serverSpec(name, args, rights, request);
  return Promise.all([
    open('fs-read', ['--root', root], {}),
    open('fs-write', ['--root', root], { contained: ['edit_files', 'write_files', 'delete_files', 'restore_files'] }),
    open('exec', ['--root', root, ...contained, ...bound(brought.binds)], {
      runs: { run_check: ['checkId', 'timeoutMs', 'dryRun'] },
      callMilliseconds: checkTime(config.checks.minutes) + aroundCheckMs,
    }),
    open('repair', ['--root', root, ...contained, ...bound(brought.trialBinds), ...protect], {
      runs: {
        localise_fault: ['checkId', 'runs', 'budgetMs'],
        propose_patches: ['localisationId', 'limit'],
        validate_patch: ['proposalId', 'from', 'count', 'budgetMs'],
      },
    }),
  ]);
}

function checkArguments({ checks: { minutes, ...permission } }: Pick<Config, 'checks'>): string[] {
  const permits = permission.only === undefined && permission.deny.length === 0;
  return [...(permits ? [] : ['--checks', JSON.stringify(permission)]), '--timeout-ms', String(checkTime(minutes))];
}

function checkTime(minutes: number): number {
  return Math.max(1, Math.round(minutes * 60_000));
}

/** Beside the check itself: reading the tree before and after, and the report. */
const aroundCheckMs = 60_000;

/** What the gateway may assume of a server's tools, beside their tiers. */
type Rights = Pick<ServerSpec, 'contained' | 'runs' | 'callMilliseconds'>;

async function serverSpec(
  name: string,
  args: readonly string[],
  rights: Rights,
  { settings, workspace }: Request,
): Promise<ServerSpec> {
  const folder = join(settings.installation, 'packages', 'servers', name);
  const manifest = ServerPermissions.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const { server } = manifest.capstan;
  const state = join(workspace.folder, 'state', name);
  const needsState = [...server.read, ...server.write].includes('{state}');
  if (needsState) await mkdir(state, { recursive: true, mode: 0o700 });
  const cache = await compileCache(name, settings);
  const fill = (path: string) => path.replace('{root}', workspace.root).replace('{state}', state);
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

/**
 * The folder of a server's own, where Node keeps its compiled code between starts: half of the time that a start takes.
 * Each has its own because what lies there is executed: no server gets at the code of one that may do more. None where
 * the command line itself has none.
 */
async function compileCache(name: string, { environment }: Settings): Promise<string[]> {
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
