import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBlob, type TreeEntry, writeBlob } from '../git/tree-entries.ts';
import type { ApplyStep, ReadyStep } from '../plan-apply.ts';
import type { SessionWorkspace } from '../session-workspace.ts';

type MergeStep = Extract<ApplyStep, { kind: 'merge' }>;

/** Turns merges into files to put; paths where both sides changed the same lines are conflicts. */
export async function mergeAll(
  workspace: SessionWorkspace,
  steps: readonly ApplyStep[],
): Promise<{ readonly steps: ReadyStep[]; readonly conflicts: string[] }> {
  const ready: ReadyStep[] = [];
  const conflicts: string[] = [];
  for (const step of steps) {
    if (step.kind !== 'merge') ready.push(step);
    else {
      const entry = await mergeFile(workspace, step);
      if (entry) ready.push({ kind: 'put', path: step.path, now: step.now, entry });
      else conflicts.push(step.path);
    }
  }
  return { steps: ready, conflicts };
}

/** A three-way merge of one file, all of whose sides are in the private git folder; undefined on a conflict. */
async function mergeFile({ git, root, folder }: SessionWorkspace, step: MergeStep): Promise<TreeEntry | undefined> {
  const scratch = await mkdtemp(join(folder, 'merge-'));
  try {
    const names = ['now', 'base', 'session'].map((name) => join(scratch, name));
    const entries = [step.now, step.base, step.entry];
    for (const [at, name] of names.entries()) {
      await writeFile(name, await readBlob(git, root, entries[at]?.blob ?? ''));
    }
    // merge-file answers with the number of conflicts, and 255 for files that it cannot merge (binary).
    const accept = Array.from({ length: 256 }, (_, code) => code);
    const result = await git.run(['merge-file', '-p', '-q', ...names], root, 'index.workspace', { accept });
    if (result.exitCode !== 0) return undefined;
    const mode = step.entry.mode === step.base.mode ? step.now.mode : step.entry.mode;
    return { mode, blob: await writeBlob(git, root, result.stdout) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
