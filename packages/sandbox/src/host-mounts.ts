import { readFileSync } from 'node:fs';

/** A mount of the host: where it is and which restrictions a user namespace may not lift. */
export interface HostMount {
  readonly at: string;
  readonly restrictions: readonly string[];
}

const kept = new Set(['ro', 'nosuid', 'nodev', 'noexec']);

function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Reads the mounts that this process sees, in the order in which they were made. */
export function readHostMounts(mountInfo: string = readFileSync('/proc/self/mountinfo', 'utf8')): HostMount[] {
  return mountInfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const fields = line.split(' ');
      const restrictions = (fields[5] ?? '').split(',').filter((option) => kept.has(option));
      return { at: unescapePath(fields[4] ?? '/'), restrictions };
    });
}

/** Whether `path` is `folder` or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The restrictions of the mount that holds `path`. */
export function restrictionsOf(path: string, mounts: readonly HostMount[]): readonly string[] {
  let best: HostMount | undefined;
  for (const mount of mounts) {
    if (isWithin(path, mount.at) && (best === undefined || mount.at.length >= best.at.length)) best = mount;
  }
  return best?.restrictions ?? [];
}

/** Mounts that lie below `path` and come along with it when it is bound. */
export function mountsBelow(path: string, mounts: readonly HostMount[]): HostMount[] {
  return mounts.filter((mount) => mount.at !== path && isWithin(mount.at, path));
}
