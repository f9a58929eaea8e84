import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxBind, SandboxKind, SessionStorage } from '@capstan/contracts';
import { type OverlaySupport, removeUppers, tryOverlays } from '@capstan/sandbox';
import {
  type CopyBounds,
  copyBounded,
  holdsSecrets,
  type IgnoredPath,
  placeInside,
  type SessionWorkspace,
} from '@capstan/workspace';
import { outsidePackages } from './outside-packages.ts';

/** Where a session's workspace lies inside the sandbox. */
const inside = '/workspace';

/** What was built is copied up to this size, so that tools see it too; more of it is laid below an overlay. */
const builtBounds: CopyBounds = { files: 5_000, bytes: 64 * 1024 * 1024 };
/** Where overlays do not work, what was installed is copied up to this size. */
const installedBounds: CopyBounds = { files: 40_000, bytes: 512 * 1024 * 1024 };

type Way = 'overlay' | 'copy' | 'read' | 'none';

/** What git ignores in the checkout and a session's checks see nevertheless (requirement A6), and how. */
export interface BroughtAlong {
  /** For the server that runs checks: what it writes stays in the session. */
  readonly binds: readonly SandboxBind[];
  /** For the server that tries patches: what it writes is thrown away. */
  readonly trialBinds: readonly SandboxBind[];
  readonly overlays: Pick<OverlaySupport, 'kept' | 'memory'>;
  readonly folders: readonly { readonly path: string; readonly way: Way }[];
  /** One line: which overlays work here. */
  readonly detail: string;
}

interface Request {
  readonly workspace: SessionWorkspace;
  readonly sandboxKind: SandboxKind;
  readonly searchPath: string;
  /** Tries overlays; for tests of machines that have none. */
  readonly tryOverlays?: typeof tryOverlays;
}

/**
 * Brings along what was installed and what was built. The checkout is only read: an overlay lies over it where overlays
 * work, else it is copied where it is small enough, else it can be read and not written.
 */
export async function bringAlong(request: Request): Promise<BroughtAlong> {
  const { workspace, sandboxKind, searchPath } = request;
  const copied: string[] = [];
  const withheld: string[] = [];
  const folders: IgnoredPath[] = [];
  for (const entry of await placed(await workspace.ignored(), workspace)) {
    if (await copyIntoTree(entry, workspace)) copied.push(entry.path);
    else if (entry.type === 'folder' && !(await isWithheld(entry, workspace))) folders.push(entry);
    else withheld.push(entry.path);
  }
  const outside = await outsidePackages(workspace.repository.root, folders);
  const place = join(workspace.folder, 'state');
  await mkdir(place, { recursive: true, mode: 0o700 });
  const lowers = folders.map(({ path }) => join(workspace.repository.root, path));
  const none = { kept: false, memory: false, detail: '' };
  const support =
    lowers.length === 0
      ? none
      : await (request.tryOverlays ?? tryOverlays)({ kind: sandboxKind, searchPath, folder: place, lowers });
  const laid: Laid[] = [];
  for (const { path, kind } of folders) laid.push(await lay(path, kind, support, workspace));
  return {
    binds: [...laid.map(({ bind }) => bind), ...outside],
    trialBinds: [...laid.map(({ trial }) => trial), ...outside],
    overlays: support,
    folders: [
      ...withheld.map((path) => ({ path, way: 'none' as const })),
      ...copied.map((path) => ({ path, way: 'copy' as const })),
      ...laid.map(({ path, way }) => ({ path, way })),
    ],
    detail: support.detail,
  };
}

/** Without those in whose place the workspace has something else. */
async function placed(entries: readonly IgnoredPath[], { root }: SessionWorkspace): Promise<IgnoredPath[]> {
  const found: IgnoredPath[] = [];
  for (const entry of entries) {
    if (await placeInside(root, entry.type === 'folder' ? entry.path : dirname(entry.path))) found.push(entry);
  }
  return found;
}

/** True where it is in the workspace itself, now or since an earlier opening. */
async function copyIntoTree({ path, kind, type }: IgnoredPath, workspace: SessionWorkspace): Promise<boolean> {
  if (kind === 'installed' && type === 'folder') return false;
  const to = join(workspace.root, path);
  const isThere = type === 'folder' ? (await readdir(to)).length > 0 : existsSync(to);
  const from = join(workspace.repository.root, path);
  return isThere || copyBounded(from, to, builtBounds, join(workspace.folder, 'copying'));
}

/** A large product may have taken settings with secrets in; a copy leaves them out, an overlay would show them. */
async function isWithheld({ path, kind }: IgnoredPath, { repository }: SessionWorkspace): Promise<boolean> {
  return kind === 'built' && (await holdsSecrets(join(repository.root, path)));
}

interface Laid {
  readonly path: string;
  readonly way: Way;
  readonly bind: SandboxBind;
  readonly trial: SandboxBind;
}

async function lay(
  path: string,
  kind: IgnoredPath['kind'],
  support: OverlaySupport,
  workspace: SessionWorkspace,
): Promise<Laid> {
  const from = join(workspace.repository.root, path);
  const to = join(inside, path);
  if (support.kept || support.memory) {
    const bind: SandboxBind = { from, to, access: 'overlay' };
    return { path, way: 'overlay', bind, trial: bind };
  }
  const trial: SandboxBind = { from, to, access: 'read' };
  const copy = join(workspace.folder, 'copies', path);
  const temporary = join(workspace.folder, 'copying');
  if (kind === 'installed' && (existsSync(copy) || (await copyBounded(from, copy, installedBounds, temporary)))) {
    return { path, way: 'copy', bind: { from: copy, to, access: 'write' }, trial };
  }
  return { path, way: 'read', bind: trial, trial };
}

/** Writes into the session's log what was brought along; nothing where there is nothing. */
export async function reportBrought(session: SessionStorage, { folders, detail }: BroughtAlong): Promise<void> {
  if (folders.length === 0) return;
  const event = { type: 'dependencies-ready', folders: [...folders], detail } as const;
  const ways = [...new Set(folders.map(({ way }) => way))].sort().join();
  await session.events.append(`dependencies-ready:${ways}`, event);
}

/** After a session's servers have ended: what was written over dependencies goes; the session's next life begins anew. */
export async function leaveBehind({ folder }: Pick<SessionWorkspace, 'folder'>): Promise<void> {
  for (const server of ['exec', 'repair']) await removeUppers(join(folder, 'state', server));
}
