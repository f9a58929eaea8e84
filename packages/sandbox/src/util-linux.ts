import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SandboxProfile } from '@capstan/contracts';
import { systemExecutable } from './executable.ts';
import { fstabLine } from './fstab-line.ts';
import { type HostMount, mountsBelow, restrictionsOf } from './host-mounts.ts';
import { requireSystemTool } from './inner-command.ts';
import { buildRootScript, filterLoader } from './launch-scripts.ts';
import { layersFolder, type OverlayLayers, overlayLayers } from './overlay-layers.ts';
import type { LayoutBind, RootLayout } from './root-layout.ts';
import { sandboxHome } from './root-layout.ts';
import { machines } from './system-calls.ts';

/** The new root is built over /sys, which no sandbox shows and no bind comes from. */
const root = '/sys';
const staging = `${root}/${layersFolder}`;
const emptyFile = `${root}/etc/.empty`;
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const closed = 'nosuid,nodev,noexec';

function privateFolders(profile: SandboxProfile): string {
  const size = `size=${Math.max(4096, Math.floor(profile.limits.temporaryBytes))}`;
  return [
    fstabLine('tmpfs', `${root}/dev`, 'tmpfs', 'X-mount.mkdir,size=64k,mode=755,nosuid'),
    fstabLine('tmpfs', `${root}/dev/shm`, 'tmpfs', `X-mount.mkdir,${size},mode=1777,${closed}`),
    fstabLine('devpts', `${root}/dev/pts`, 'devpts', 'X-mount.mkdir,newinstance,ptmxmode=0666,mode=620,nosuid,noexec'),
    fstabLine('tmpfs', `${root}/tmp`, 'tmpfs', `X-mount.mkdir,${size},mode=1777,nosuid,nodev`),
    fstabLine('proc', `${root}/proc`, 'proc', `X-mount.mkdir,${closed}`),
  ].join('\n');
}

function bindOptions(bind: LayoutBind, mounts: readonly HostMount[]): string {
  const kept = restrictionsOf(bind.from, mounts);
  const options = new Set(['nosuid', 'nodev', ...kept, ...(bind.access === 'read' ? ['ro'] : [])]);
  return [bind.type === 'folder' ? 'X-mount.mkdir,rbind' : 'bind', ...options].join(',');
}

function deviceLine(name: string, mounts: readonly HostMount[]): string {
  const kept = restrictionsOf(`/dev/${name}`, mounts).filter((option) => option !== 'ro');
  return fstabLine(
    `/dev/${name}`,
    `${root}/dev/${name}`,
    'none',
    ['bind', ...new Set(['nosuid', 'noexec', ...kept])].join(),
  );
}

function hideLines(hidden: RootLayout['hidden']): string[] {
  return hidden.map(({ at, type }) =>
    type === 'folder'
      ? fstabLine('tmpfs', root + at, 'tmpfs', `ro,size=4k,mode=555,${closed}`)
      : fstabLine(emptyFile, root + at, 'none', `bind,ro,${closed}`),
  );
}

/**
 * Parts of /proc through which the host's root could change the host. Bubblewrap makes all of /proc read-only instead;
 * here the first process has yet to write its user mapping there.
 */
function changeableProc(): RootLayout['hidden'] {
  const entries = (type: 'file' | 'folder', names: string[]) => names.map((name) => ({ at: `/proc/${name}`, type }));
  return [
    ...entries('folder', ['acpi', 'asound', 'bus', 'driver', 'fs', 'irq', 'scsi']),
    ...entries('file', ['mtrr', 'sysrq-trigger']),
  ].filter(({ at }) => existsSync(at));
}

function fillRoot(layout: RootLayout, layers: OverlayLayers, mounts: readonly HostMount[]): string {
  const overlays = [...layers.overlays];
  const bindLine = (bind: LayoutBind): string =>
    bind.access === 'overlay'
      ? (overlays.shift() ?? '')
      : fstabLine(bind.from, root + bind.to, 'none', bindOptions(bind, mounts));
  return [
    ...layout.system.map((bind) => fstabLine(bind.from, root + bind.to, 'none', bindOptions(bind, mounts))),
    ...devices.map((name) => deviceLine(name, mounts)),
    fstabLine(`${root}/dev/pts/ptmx`, `${root}/dev/ptmx`, 'none', 'bind,nosuid,noexec'),
    fstabLine(`${root}/proc/sys`, `${root}/proc/sys`, 'none', `bind,ro,${closed}`),
    ...hideLines([...layout.hiddenProc, ...changeableProc()]),
    fstabLine(`${root}/tmp`, `${root}/var/tmp`, 'none', 'X-mount.mkdir,bind,nosuid,nodev'),
    ...layout.binds.map(bindLine),
    ...hideLines(layout.hidden),
  ].join('\n');
}

function readOnlyBelow(layout: RootLayout, mounts: readonly HostMount[]): string[] {
  const read = [...layout.system, ...layout.binds].filter((bind) => bind.access === 'read');
  return read.flatMap((bind) =>
    mountsBelow(bind.from, mounts).map((mount) => root + bind.to + mount.at.slice(bind.from.length)),
  );
}

/** The command that loads the filter: Perl, where the system has it; util-linux before 2.41 cannot. Empty without. */
export function filterCommand(filter: Buffer | undefined, architecture: string): string[] {
  const perl = systemExecutable('perl');
  const prctl = machines[architecture]?.numbers.prctl;
  if (filter === undefined || perl === undefined || prctl === undefined) return [];
  return [perl, '-e', filterLoader, String(prctl), filter.toString('hex')];
}

function dropRights(): string[] {
  return [
    ...[requireSystemTool('unshare'), '--user', '--map-user=1000', '--map-group=1000', '--keep-caps', '--'],
    ...[requireSystemTool('setpriv'), '--pdeathsig', 'KILL', '--no-new-privs', '--bounding-set=-all'],
    ...['--inh-caps=-all', '--ambient-caps=-all', '--'],
  ];
}

function enterNamespaces(): string[] {
  return [
    ...[requireSystemTool('unshare'), '--user', '--map-root-user', '--mount', '--pid', '--net', '--ipc', '--uts'],
    ...['--cgroup', '--propagation', 'private', '--fork', '--kill-child', '--'],
  ];
}

/** The whole command of the way without bubblewrap, for a planned root and the first process in it. */
export function utilLinuxCommand(
  layout: RootLayout,
  profile: SandboxProfile,
  first: readonly string[],
  options: { mounts: readonly HostMount[]; filter: readonly string[] },
): string[] {
  const fileBinds = [...layout.system, ...layout.binds].filter((bind) => bind.type === 'file').map((bind) => bind.to);
  const folders = ['/mnt', sandboxHome, ...fileBinds.map((path) => dirname(path))];
  const devicePaths = [...devices, 'ptmx'].map((name) => `/dev/${name}`);
  const files = [emptyFile, ...[...devicePaths, ...fileBinds].map((path) => root + path)];
  const { mounts } = options;
  const layers = overlayLayers(layout.binds, profile, { staging, mounts, placeOf: ({ to }) => root + to });
  return [
    ...enterNamespaces(),
    ...['/bin/sh', '-c', buildRootScript, 'sh', [privateFolders(profile), ...layers.sources].join('\n')],
    [...new Set(folders.map((path) => root + path)), ...layers.folders].join('\n'),
    files.join('\n'),
    ...['/', '/etc'].map((folder) =>
      layout.links
        .filter(({ at }) => dirname(at) === folder)
        .map(({ at }) => at)
        .join('\n'),
    ),
    ...layout.files.map(({ text }) => text.trimEnd()),
    fillRoot(layout, layers, mounts),
    readOnlyBelow(layout, mounts).join('\n'),
    ...dropRights(),
    ...options.filter,
    ...first,
  ];
}
