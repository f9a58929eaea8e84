import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { isWithin } from './host-mounts.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import type { Hidden, LayoutBind } from './root-layout.ts';
import { seccompFilter } from './seccomp.ts';

/** What does not change on a host while Capstan runs, and every sandbox needs to know: read once. */
export interface HostView {
  /** Links into /usr such as `/bin`, the same inside. */
  readonly links: readonly { readonly at: string; readonly target: string }[];
  readonly system: readonly LayoutBind[];
  /** Entries of /proc that show the host. */
  readonly hiddenProc: readonly Hidden[];
  readonly filter: Buffer | undefined;
  readonly inheritedDescriptors: readonly number[];
  /** Hard limits of this process: nothing above them can be asked for. */
  readonly largestFile: number;
  readonly mostProcesses: number;
  /** Since 5.14 the kernel counts processes per user namespace; before, together with everything else of the user. */
  readonly countsProcessesPerNamespace: boolean;
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
const hostProc = 'cmdline kcore keys kmsg timer_list'.split(' ');

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

function hardLimits(): (label: string) => number {
  const lines = readFileSync('/proc/self/limits', 'utf8').split('\n');
  return (label) => {
    const line = lines.find((text) => text.startsWith(label));
    const hard = line?.slice(label.length).trim().split(/\s+/)[1];
    return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
  };
}

function kernelIsAtLeast(wantedMajor: number, wantedMinor: number): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** Reads all of it. */
export function viewHost(): HostView {
  const [links, others] = partition([...systemFolders, ...publicSettings], isLinkIntoSystem);
  const hard = hardLimits();
  return {
    links: links.map((at) => ({ at, target: realpathSync(at) })),
    system: others.flatMap(readBind),
    hiddenProc: hostProcEntries(),
    filter: seccompFilter(process.arch),
    inheritedDescriptors: inheritedDescriptors(),
    largestFile: hard('Max file size'),
    mostProcesses: hard('Max processes'),
    countsProcessesPerNamespace: kernelIsAtLeast(5, 14),
  };
}
