import { join } from 'node:path';
import type { SandboxProfile } from '@capstan/contracts';
import { fstabLine } from './fstab-line.ts';
import { type HostMount, restrictionsOf } from './host-mounts.ts';
import type { LayoutBind } from './root-layout.ts';

/** How the overlays of a root are made, in this order; every path but the sources lies in the staging folder. */
export interface OverlayLayers {
  /** For fstab: the folders of the host, and memory where there is no upper folder. */
  readonly sources: string[];
  /** Made then, unless they are there. */
  readonly folders: string[];
  /** For fstab: the overlays. */
  readonly overlays: string[];
}

/** Where the layers lie while a root is built; afterwards only the overlays hold them. */
export const layersFolder = '.layers';

const restricted = 'nosuid,nodev';

/** Where the layers of the overlay with this number lie. */
function layerFolder(staging: string, index: number): string {
  return join(staging, String(index));
}

/**
 * Plans the overlays among `binds`. The layers are bound to short names first, so that no path of the host has to be
 * written into mount options. The lower one is read-only by itself, whatever the overlay does. `placeOf` says where an
 * overlay is mounted.
 */
export function overlayLayers(
  binds: readonly LayoutBind[],
  profile: SandboxProfile,
  options: {
    readonly staging: string;
    readonly mounts: readonly HostMount[];
    placeOf(bind: LayoutBind, index: number): string;
  },
): OverlayLayers {
  const { staging, mounts, placeOf } = options;
  const size = Math.max(4096, Math.floor(profile.limits.temporaryBytes));
  const kept = (path: string): string =>
    restrictionsOf(path, mounts)
      .map((option) => `,${option}`)
      .join('');
  const found = overlaysOf(binds);
  if (found.length === 0) return { sources: [], folders: [], overlays: [] };
  const sources = found.flatMap((bind, index) => {
    const own = layerFolder(staging, index);
    const options = `X-mount.mkdir,rbind,ro,${restricted}${kept(bind.from)}`;
    const lower = fstabLine(bind.from, join(own, 'lower'), 'none', options);
    const top =
      bind.upper === undefined
        ? fstabLine('tmpfs', join(own, 'top'), 'tmpfs', `X-mount.mkdir,size=${size},mode=700,${restricted}`)
        : fstabLine(bind.upper, join(own, 'top'), 'none', `X-mount.mkdir,rbind,${restricted}${kept(bind.upper)}`);
    return [lower, top];
  });
  return {
    sources: [fstabLine('tmpfs', staging, 'tmpfs', `X-mount.mkdir,size=1m,mode=700,${restricted}`), ...sources],
    folders: found.flatMap((_, index) =>
      ['top/upper', 'top/work'].map((name) => join(layerFolder(staging, index), name)),
    ),
    overlays: found.map((bind, index) => {
      const own = layerFolder(staging, index);
      const layers = `lowerdir=${own}/lower,upperdir=${own}/top/upper,workdir=${own}/top/work`;
      return fstabLine('overlay', placeOf(bind, index), 'overlay', `X-mount.mkdir,${layers},userxattr,${restricted}`);
    }),
  };
}

/** The overlays among binds, in the order of their numbers. */
function overlaysOf(binds: readonly LayoutBind[]): LayoutBind[] {
  return binds.filter(({ access }) => access === 'overlay');
}
