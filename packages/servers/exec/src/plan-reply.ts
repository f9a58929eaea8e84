import { workspaceInside } from '@capstan/contained-server';
import type { SandboxKind, SandboxProfile } from '@capstan/contracts';
import { z } from 'zod';

/** What would be run, and what it would see. */
export const RunPlan = z.strictObject({
  argv: z.array(z.string()),
  directory: z.string(),
  environment: z.record(z.string(), z.string()),
  binds: z.array(z.string()),
  masked: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
});
export type RunPlan = z.infer<typeof RunPlan>;

/** The plan of a dry run, and the same in words. */
export function describePlan(
  argv: readonly string[],
  profile: SandboxProfile,
  { root, kind }: { readonly root: string; readonly kind: SandboxKind },
): { readonly plan: RunPlan; readonly text: string } {
  const plan: RunPlan = {
    argv: [...argv],
    directory: profile.workingDirectory,
    environment: { ...profile.environment },
    binds: profile.binds.map((bind) => `${bind.to} (${bind.access})`),
    masked: profile.masked.map((path) => path.replace(root, workspaceInside)),
    limits: { ...profile.limits },
  };
  const { milliseconds, memoryBytes, processes } = profile.limits;
  const text = [
    `Would run: ${showArgv(argv)}`,
    `in ${plan.directory}, sandbox ${kind}, no network, at most ${milliseconds / 1000} s, ` +
      `${memoryBytes / 1024 / 1024} MiB of memory, ${processes} processes.`,
    `Visible: ${plan.binds.join(', ')}.`,
    plan.masked.length === 0 ? 'Nothing is masked.' : `Masked: ${plan.masked.join(', ')}.`,
  ].join('\n');
  return { plan, text };
}

/** An argument vector for readers: words that are not plain stand in quotes. */
export function showArgv(argv: readonly string[]): string {
  return argv.map((word) => (/^[\p{L}\p{N}_@%+=:,./*{}-]+$/u.test(word) ? word : JSON.stringify(word))).join(' ');
}
