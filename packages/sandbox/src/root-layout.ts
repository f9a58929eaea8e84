import { accessSync, constants, existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { CapstanError, type SandboxProfile } from '@capstan/contracts';
import { isWithin } from './host-mounts.ts';

/** Home folder inside: private, empty, on the sized /tmp. */
export const sandboxHome = '/tmp/home';

export interface LayoutBind {
  readonly from: string;
  readonly to: string;
  readonly access: 'read' | 'write';
  readonly type: 'file' | 'folder';
}

export interface Hidden {
  readonly at: string;
  readonly type: 'file' | 'folder';
}

/** The private root as both launchers build it: system folders first, then the profile's binds, then what is hidden. */
export interface RootLayout {
  /** Links into /usr such as `/bin`, the same as on the host. */
  readonly links: readonly { readonly at: string; readonly target: string }[];
  readonly system: readonly LayoutBind[];
  readonly binds: readonly LayoutBind[];
  readonly hidden: readonly Hidden[];
  /** Entries of /proc that show the host. */
  readonly hiddenProc: readonly Hidden[];
  readonly files: readonly { readonly at: string; readonly text: string }[];
}

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Public parts of /etc: how to link programs, which time zone, which certificates. Never accounts, keys or tokens. */
const publicSettings = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/os-release',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/services',
  '/etc/ssl/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

/** What shows the host to a process that runs under the id of its root, but without its rights. */
const hostProc = 'cmdline kcore keys kmsg kpagecgroup kpagecount kpageflags sysrq-trigger timer_list'.split(' ');

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

function readBind(path: string): LayoutBind[] {
  const type = typeOf(path);
  return type === undefined ? [] : [{ from: realpathSync(path), to: path, access: 'read', type }];
}

/** Links to what is shown anyway, such as `/bin` or `/etc/localtime`, cost less than a bind. */
function isLinkIntoSystem(path: string): boolean {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return link && existsSync(path) && isWithin(realpathSync(path), '/usr');
}

function partition(paths: readonly string[], test: (path: string) => boolean): [string[], string[]] {
  return [paths.filter(test), paths.filter((path) => !test(path))];
}

function canOpen(path: string): boolean {
  return [constants.R_OK, constants.W_OK].some((mode) => {
    try {
      accessSync(path, mode);
      return true;
    } catch {
      return false;
    }
  });
}

function hostProcEntries(): Hidden[] {
  return hostProc.map((name) => ({ at: `/proc/${name}`, type: 'file' as const })).filter(({ at }) => canOpen(at));
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
  return profile.binds.map(({ from, to, access }) => {
    checkTarget(to);
    const type = isAbsolute(from) && !from.includes('\0') ? typeOf(from) : undefined;
    if (type === undefined) return refuse(`Cannot bind "${from}": there is no such file or folder.`);
    return { from: realpathSync(from), to, access, type };
  });
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
export function planRoot(profile: SandboxProfile): RootLayout {
  const binds = profileBinds(profile);
  const [links, others] = partition([...systemFolders, ...publicSettings], isLinkIntoSystem);
  return {
    links: links.map((at) => ({ at, target: realpathSync(at) })),
    system: others.flatMap(readBind),
    binds,
    hidden: hiddenPlaces(profile.masked, binds),
    hiddenProc: hostProcEntries(),
    files,
  };
}
