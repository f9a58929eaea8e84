import type { SandboxProfile } from '@capstan/contracts';
import { readHostMounts } from './host-mounts.ts';
import { requireSystemTool } from './inner-command.ts';
import { buildOverlaysScript } from './launch-scripts.ts';
import { layersFolder, overlayLayers } from './overlay-layers.ts';
import type { Hidden, LayoutBind, RootLayout } from './root-layout.ts';
import { sandboxHome } from './root-layout.ts';

/** Descriptors that the launcher's script and bubblewrap agree on. Files of /etc take 6 to 9. */
export const descriptors = { filter: 3, status: 4, lifeline: 5, files: 6, empty: 10 } as const;

/** Where overlays are made before bubblewrap starts: no sandbox shows /sys, and no bind comes from it. */
const overlayRoot = '/sys';

const isolation = [
  ...['--unshare-user', '--uid', '1000', '--gid', '1000', '--disable-userns', '--cap-drop', 'ALL'],
  ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--hostname', 'sandbox', '--new-session', '--as-pid-1', '--die-with-parent', '--clearenv'],
];

function bindArguments(bind: LayoutBind): string[] {
  return [bind.access === 'write' ? '--bind' : '--ro-bind', bind.from, bind.to];
}

/** Overlays are made before bubblewrap starts: from then on they are folders like others. */
function profileBinds(binds: readonly LayoutBind[]): string[] {
  let made = 0;
  return binds.flatMap((bind) =>
    bindArguments(bind.access === 'overlay' ? { ...bind, access: 'write', from: overlayPlace(made++) } : bind),
  );
}

const overlayPlace = (index: number): string => `${overlayRoot}/root/${index}`;

/** What comes in front of bubblewrap for a root with overlays; empty without. */
export function overlayCommand(layout: RootLayout, profile: SandboxProfile): string[] {
  const mounts = readHostMounts();
  const staging = `${overlayRoot}/${layersFolder}`;
  const layers = overlayLayers(layout.binds, profile, { staging, mounts, placeOf: (_, index) => overlayPlace(index) });
  if (layers.overlays.length === 0) return [];
  return [
    ...[requireSystemTool('unshare'), '--user', '--map-root-user', '--mount', '--propagation', 'private', '--'],
    ...['/bin/sh', '-c', buildOverlaysScript, 'sh'],
    ...[layers.sources, layers.folders, layers.overlays].map((lines) => lines.join('\n')),
  ];
}

function emptyFolder(at: string): string[] {
  return ['--perms', '0555', '--size', '4096', '--tmpfs', at, '--remount-ro', at];
}

function hideProc({ at, type }: Hidden): string[] {
  return type === 'folder' ? emptyFolder(at) : ['--ro-bind', '/dev/null', at];
}

function hideArguments(hidden: readonly Hidden[], haveDescriptors: boolean): string[] {
  let descriptor: number = descriptors.empty;
  return hidden.flatMap(({ at, type }) => {
    if (type === 'folder') return emptyFolder(at);
    if (!haveDescriptors) return ['--dev-bind', '/dev/null', at];
    return ['--perms', '0444', '--ro-bind-data', String(descriptor++), at];
  });
}

function privateFolders(profile: SandboxProfile): string[] {
  const size = String(Math.max(4096, Math.floor(profile.limits.temporaryBytes)));
  return [
    ...['--dev', '/dev', '--perms', '1777', '--size', size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--perms', '1777', '--size', size, '--tmpfs', '/tmp', '--perms', '0700', '--dir', sandboxHome],
    ...['--symlink', '../tmp', '/var/tmp'],
  ];
}

/**
 * Bubblewrap's arguments for a planned root, up to `--`. `haveDescriptors` says whether the starter can pass an empty
 * file per hidden file (from `descriptors.empty` on); without, the null device lies over them.
 */
export function bubblewrapArguments(
  layout: RootLayout,
  profile: SandboxProfile,
  options: { haveFilter: boolean; haveDescriptors: boolean },
): string[] {
  return [
    ...isolation,
    ...(options.haveFilter ? ['--seccomp', String(descriptors.filter)] : []),
    ...['/etc', '/etc/ssl', '/var'].flatMap((at) => ['--perms', '0755', '--dir', at]),
    ...layout.links.flatMap(({ at, target }) => ['--symlink', target, at]),
    ...layout.system.flatMap(bindArguments),
    ...layout.files.flatMap(({ at }, index) => ['--perms', '0444', '--file', String(descriptors.files + index), at]),
    ...['--proc', '/proc', ...layout.hiddenProc.flatMap(hideProc), '--remount-ro', '/proc'],
    ...privateFolders(profile),
    ...profileBinds(layout.binds),
    ...hideArguments(layout.hidden, options.haveDescriptors),
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}
