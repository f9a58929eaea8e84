import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { workspaceInside } from '@capstan/contained-server';
import type { SandboxBind } from '@capstan/contracts';
import type { ExecOptions } from './exec-options.ts';

/** A virtual environment of Python that was brought along with the workspace. */
export interface VirtualEnvironment {
  /** Its folder as commands see it, e.g. "/workspace/.venv". */
  readonly inside: string;
  /** The same on the host. */
  readonly folder: string;
  /** The interpreter that it was made from, on the host. */
  readonly python: string;
  /**
   * The workspace once more, where the checkout lies on the host: packages installed in place ("pip install -e") are
   * found by absolute paths, which so lead to the session's copy. None where that place cannot be shown.
   */
  readonly alias: readonly SandboxBind[];
}

const system = /^\/(usr|bin|sbin|lib\w*|etc|proc|dev|sys|workspace|capstan-report)(\/|$)/;

/** The virtual environment nearest to a folder of the workspace, if there is one that works. */
export function virtualEnvironment(directory: string, options: ExecOptions): VirtualEnvironment | undefined {
  for (let folder = posix.join(workspaceInside, directory); folder !== '/'; folder = posix.dirname(folder)) {
    for (const name of ['.venv', 'venv']) {
      const bind = options.binds.find(({ to }) => to === posix.join(folder, name));
      const python = bind === undefined ? undefined : interpreterOf(bind.from);
      if (bind !== undefined && python !== undefined)
        return { inside: bind.to, folder: bind.from, python, alias: aliasOf(bind, options) };
    }
  }
  return undefined;
}

function interpreterOf(folder: string): string | undefined {
  const python = join(folder, 'bin/python3');
  return existsSync(join(folder, 'pyvenv.cfg')) && existsSync(python) ? realpathSync(python) : undefined;
}

function aliasOf({ from, to }: SandboxBind, { root }: ExecOptions): SandboxBind[] {
  const below = to.slice(workspaceInside.length);
  const checkout = from.endsWith(below) ? from.slice(0, -below.length) : dirname(from);
  return system.test(checkout) || checkout.split('/').length < 3 ? [] : [{ from: root, to: checkout, access: 'write' }];
}
