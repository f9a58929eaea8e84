import type { SandboxProfile } from '@capstan/contracts';
import type { Hidden, LayoutBind, RootLayout } from './root-layout.ts';
import { sandboxHome } from './root-layout.ts';

/** Descriptors that the launcher's script and bubblewrap agree on. Files of /etc take 6 to 9. */
export const descriptors = { filter: 3, status: 4, lifeline: 5, files: 6, empty: 10 } as const;

const isolation = [
  ...['--unshare-user', '--uid', '1000', '--gid', '1000', '--disable-userns', '--cap-drop', 'ALL'],
  ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--hostname', 'sandbox', '--new-session', '--as-pid-1', '--die-with-parent', '--clearenv'],
];

function bindArguments(bind: LayoutBind): string[] {
  return [bind.access === 'write' ? '--bind' : '--ro-bind', bind.from, bind.to];
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
    ...layout.binds.flatMap(bindArguments),
    ...hideArguments(layout.hidden, options.haveDescriptors),
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}
