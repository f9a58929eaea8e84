import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { CapstanError, type SandboxBind, type SandboxProfile } from '@capstan/contracts';
import { isWithin } from './host-mounts.ts';
import type { HostView } from './host-view.ts';

/** Home folder inside: private, empty, on the sized /tmp. */
export const sandboxHome = '/tmp/home';

export interface LayoutBind {
  readonly from: string;
  readonly to: string;
  readonly access: SandboxBind['access'];
  readonly type: 'file' | 'folder';
  /** Of an overlay: the folder for what is written; undefined for one in memory. */
  readonly upper?: string;
}

export interface Hidden {
  readonly at: string;
  readonly type: 'file' | 'folder';
}

/** The private root as both launchers build it: system folders first, then the profile's binds, then what is hidden. */
export interface RootLayout {
  readonly links: HostView['links'];
  readonly system: HostView['system'];
  readonly binds: readonly LayoutBind[];
  readonly hidden: readonly Hidden[];
  readonly hiddenProc: HostView['hiddenProc'];
  readonly files: readonly { readonly at: string; readonly text: string }[];
}

const files = [
  {
    at: '/etc/passwd',
    text: `sandbox:x:1000:1000:sandbox:${sandboxHome}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  },
  { at: '/etc/group', text: 'sandbox:x:1000:\nnogroup:x:65534:\n' },
  { at: '/etc/hosts', text: '127.0.0.1 localhost sandbox\n::1 localhost\n' },
  { at: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nhosts: files dns\n' },
] as const;

function typeOf(path: string): 'file' | 'folder' | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? 'folder' : 'file';
}

function refuse(message: string): never {
  throw new CapstanError('no-sandbox', message, { hint: 'Correct the profile of the sandbox.' });
}

function checkTarget(to: string): void {
  const odd = !isAbsolute(to) || normalize(to) !== to || to.endsWith('/') || /[\n\0]/.test(to);
  if (odd || ['/proc', '/dev', '/sys'].some((folder) => isWithin(to, folder))) {
    refuse(`Cannot bind to "${to}" inside a sandbox.`);
  }
}

function profileBinds(profile: SandboxProfile): LayoutBind[] {
  const binds = profile.binds.map(({ from, to, access, upper }): LayoutBind => {
    checkTarget(to);
    const type = isAbsolute(from) && !from.includes('\0') ? typeOf(from) : undefined;
    if (type === undefined) return refuse(`Cannot bind "${from}": there is no such file or folder.`);
    const bind = { from: realpathSync(from), to, access, type };
    if (access !== 'overlay') return bind;
    if (type !== 'folder') return refuse(`Cannot lay anything over "${from}": it is no folder.`);
    return upper === undefined ? bind : { ...bind, upper: upperFolder(upper) };
  });
  checkUppers(binds);
  return binds;
}

function upperFolder(path: string): string {
  const isFolder = isAbsolute(path) && !path.includes('\0') && typeOf(path) === 'folder';
  return isFolder ? realpathSync(path) : refuse(`Cannot write to "${path}": there is no such folder.`);
}

/** The kernel neither refuses two overlays on one upper folder nor changes of it from elsewhere: both corrupt it. */
function checkUppers(binds: readonly LayoutBind[]): void {
  const uppers = binds.flatMap(({ upper }) => (upper === undefined ? [] : [upper]));
  const shows = (upper: string): boolean =>
    binds.some(({ from }) => isWithin(upper, from) || isWithin(from, upper)) ||
    uppers.filter((other) => isWithin(other, upper) || isWithin(upper, other)).length > 1;
  const bad = uppers.find(shows);
  if (bad !== undefined) refuse(`"${bad}" keeps what an overlay writes: it can be neither bound nor used twice.`);
}

/** Where a host path shows inside: at every bind that holds it and that no later bind covers there. */
function placesInside(path: string, binds: readonly LayoutBind[]): string[] {
  return binds.flatMap((bind, index) => {
    if (!isWithin(path, bind.from)) return [];
    const inside = join(bind.to, relative(bind.from, path));
    const covered = binds.slice(index + 1).some((later) => isWithin(inside, later.to));
    return covered ? [] : [inside];
  });
}

function hiddenPlaces(masked: readonly string[], binds: readonly LayoutBind[]): Hidden[] {
  const places = new Map<string, Hidden>();
  for (const path of masked) {
    const type = typeOf(path);
    if (type === undefined) continue;
    for (const at of placesInside(realpathSync(path), binds)) places.set(at, { at, type });
  }
  return [...places.values()];
}

/** Plans the private root of a profile. Throws `no-sandbox` when a bind has no source or an impossible target. */
export function planRoot(profile: SandboxProfile, host: HostView): RootLayout {
  const binds = profileBinds(profile);
  const { links, system, hiddenProc } = host;
  return { links, system, binds, hidden: hiddenPlaces(profile.masked, binds), hiddenProc, files };
}
