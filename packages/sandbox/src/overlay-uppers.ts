import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxBind, SandboxRunner } from '@capstan/contracts';
import { removeTree } from './remove-tree.ts';

const prefix = 'uppers-';

/** Binds that are ready for one command; `end` has to be called when it is over. */
interface UppersInUse {
  readonly binds: readonly SandboxBind[];
  end(): Promise<void>;
}

/** The words of a server's option `--uppers`: where overlays can keep what is written. */
export function readUppers(text: string | undefined): { readonly kept: boolean; readonly memory: boolean } {
  const words = (text ?? '').split(',');
  return { kept: words.includes('kept'), memory: words.includes('memory') };
}

/** Decides where the overlays of one process keep what is written, so that no upper folder is ever used twice at a time. */
export interface OverlayUppers {
  /** What one command writes, the next one finds. A command that runs beside another gets uppers that are thrown away. */
  kept(binds: readonly SandboxBind[]): Promise<UppersInUse>;
  /** What is written is gone with the command. */
  thrownAway(binds: readonly SandboxBind[]): Promise<UppersInUse>;
}

/**
 * Opens the uppers of a process in a folder of its own. They are new with each process: an earlier one that was killed
 * may still be dying, and what it left is removed.
 */
export function openUppers(
  folder: string,
  support: { readonly kept: boolean; readonly memory: boolean },
): OverlayUppers {
  let lasting: Promise<string> | undefined;
  let busy = false;

  const cleaned = removeUppers(folder);
  const fresh = async (): Promise<string> => {
    await cleaned;
    return mkdtemp(join(folder, prefix));
  };

  const thrownAway = async (binds: readonly SandboxBind[]): Promise<UppersInUse> => {
    if (support.memory || !binds.some(isOverlay)) return { binds, end: async () => {} };
    const own = await fresh();
    return { binds: await withUppers(binds, own), end: () => removeTree(own) };
  };

  return {
    thrownAway,
    kept: async (binds) => {
      if (!support.kept || busy || !binds.some(isOverlay)) return thrownAway(binds);
      busy = true;
      lasting ??= fresh();
      const end = async (): Promise<void> => {
        busy = false;
      };
      try {
        return { binds: await withUppers(binds, await lasting), end };
      } catch (thrown) {
        await end();
        throw thrown;
      }
    },
  };
}

/** Removes the uppers that processes which have ended left in a folder. */
export async function removeUppers(folder: string): Promise<void> {
  const old = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(prefix));
  await Promise.all(old.map((name) => removeTree(join(folder, name)).catch(() => undefined)));
}

const isOverlay = ({ access }: SandboxBind): boolean => access === 'overlay';

async function withUppers(binds: readonly SandboxBind[], folder: string): Promise<SandboxBind[]> {
  return Promise.all(
    binds.map(async (bind) => {
      if (!isOverlay(bind)) return bind;
      const upper = join(folder, createHash('sha256').update(bind.to).digest('hex').slice(0, 32));
      await mkdir(upper, { recursive: true, mode: 0o700 });
      return { ...bind, upper };
    }),
  );
}

/** A runner whose commands leave nothing behind in what their overlays lie over: neither for the next nor beside them. */
export function discardingRunner(runner: SandboxRunner, uppers: OverlayUppers): SandboxRunner {
  return {
    kind: runner.kind,
    run: async (command) => {
      const use = await uppers.thrownAway(command.profile.binds);
      try {
        return await runner.run({ ...command, profile: { ...command.profile, binds: use.binds } });
      } finally {
        await use.end();
      }
    },
  };
}
