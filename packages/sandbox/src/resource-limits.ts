import type { SandboxLimits } from '@capstan/contracts';
import type { ControlGroup } from './control-group.ts';
import { descendantsOf, treeUse } from './process-tree.ts';

const pollMilliseconds = 50;
/** The first process of the sandbox, the launcher and its guard are counted with the command's own. */
const launcherTasks = 3;

/** Moves a tree into a group. What a moved process starts is in the group, so that few rounds reach everything. */
async function enterAll(launcher: number, group: ControlGroup): Promise<void> {
  await group.enter(launcher);
  const entered = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const others = descendantsOf(launcher).filter((pid) => !entered.has(pid));
    if (others.length === 0) return;
    for (const pid of others) {
      entered.add(pid);
      await group.enter(pid).catch(() => undefined);
    }
  }
}

export interface KeptLimits {
  /** Resolves when the control group bounds the tree, or when there is none that can. No command begins before. */
  readonly bounded: Promise<void>;
  /** Ends the looking. */
  end(): void;
}

/**
 * Keeps the memory and the number of processes below a launcher within limits: by a control group once the tree is in it,
 * which takes a grace period of the kernel while the sandbox is being set up; until then, and where there is no group, by
 * looking at the tree twenty times a second.
 */
export function keepLimits(
  launcher: number,
  limits: SandboxLimits,
  group: ControlGroup | undefined,
  stop: (why: 'memory' | 'processes') => void,
): KeptLimits {
  const most = limits.processes + launcherTasks;
  const poll = setInterval(() => {
    const use = treeUse(launcher, most);
    if (use.residentBytes > limits.memoryBytes) stop('memory');
    else if (use.tasks > most) stop('processes');
  }, pollMilliseconds);
  const end = (): void => clearInterval(poll);
  const entered = group === undefined ? undefined : enterAll(launcher, group);
  return { bounded: entered === undefined ? Promise.resolve() : entered.then(end, () => undefined), end };
}
