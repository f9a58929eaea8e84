import { join } from 'node:path';
import type { Config } from '@capstan/config';
import type { SandboxBind, SandboxKind } from '@capstan/contracts';
import type { ServerSpec } from '@capstan/gateway';
import type { SessionWorkspace } from '@capstan/workspace';
import type { BroughtAlong } from './bring-along.ts';
import { officialServer, type Rights } from './official-server.ts';
import type { Settings } from './settings.ts';

interface Request {
  readonly settings: Settings;
  readonly workspace: SessionWorkspace;
  readonly sandboxKind: SandboxKind;
  readonly brought: BroughtAlong;
  readonly config: Pick<Config, 'checks' | 'commands' | 'protect'>;
}

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
  const place = { settings, root, states: join(workspace.folder, 'state') };
  const open = (name: string, args: readonly string[], rights: Rights) => officialServer(name, args, rights, place);
  return Promise.all([
    open('fs-read', ['--root', root], {}),
    open('fs-write', ['--root', root, ...protect], { contained: fileChanges }),
    open('exec', ['--root', root, ...contained, ...bound(brought.binds), ...protect, ...commandArguments(config)], {
      runs: { run_check: ['checkId', 'timeoutMs', 'dryRun'], run_command: ['commandId', 'timeoutMs', 'dryRun'] },
      ...(config.commands.shell === 'ask' ? { shells: ['shell'], enabledDangerous: ['shell'] } : {}),
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

/** What says no to a check says no to it as a command, too: the server knows both. */
function commandArguments({ commands: { shell, ...commands } }: Pick<Config, 'commands'>): string[] {
  return ['--commands', JSON.stringify(commands), '--shell', shell === 'ask' ? 'on' : 'off'];
}

function checkTime(minutes: number): number {
  return Math.max(1, Math.round(minutes * 60_000));
}

/** What fs-write does stays in the workspace. */
const fileChanges = ['edit_files', 'write_files', 'move_files', 'delete_files', 'apply_patch', 'restore_files'];

/** Beside the check itself: reading the tree before and after, and the report. */
const aroundCheckMs = 60_000;
