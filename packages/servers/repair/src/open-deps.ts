import { workspaceInside } from '@capstan/contained-server';
import { CapstanError, type SandboxRunner } from '@capstan/contracts';
import type { RepairDeps } from '@capstan/repair';
import { defaultLimits, toolchainFor } from '@capstan/sandbox';
import type { ToolContext } from '@capstan/tool-server';
import { secretFiles } from '@capstan/workspace';
import { type RepairOptions, runtimeInside } from './repair-options.ts';

const PROGRESS_MS = 1000;

/**
 * What one call of a tool hands to the repair package: the workspace for reading only, Node, no network, no secrets.
 * Throws `no-sandbox` or `no-toolchain`.
 */
export async function openDeps(
  options: RepairOptions,
  runner: SandboxRunner,
  context: ToolContext,
): Promise<RepairDeps> {
  if (options.sandbox === 'none') {
    throw new CapstanError('no-sandbox', 'Tests of a repository run only in a sandbox, and there is none here.', {
      hint: 'Install bubblewrap, or allow unprivileged user namespaces; `capstan doctor` says which part is missing.',
    });
  }
  const toolchain = await toolchainFor(['node'], options.searchPath);
  if (toolchain.missing.length > 0) {
    const hint = 'Put Node 20 or later on the search path.';
    throw new CapstanError('no-toolchain', 'There is no node that a sandbox could use.', { hint });
  }
  return {
    runner,
    profile: {
      binds: [...toolchain.binds, { from: options.root, to: workspaceInside, access: 'read' }, ...options.binds],
      masked: await secretFiles(options.root),
      environment: { CI: '1', NO_COLOR: '1', TERM: 'dumb', ...toolchain.environment },
      workingDirectory: workspaceInside,
      limits: { ...defaultLimits },
    },
    root: options.root,
    workspaceInside,
    runtimeInside,
    signal: context.signal,
    onProgress: throttled(context),
  };
}

/** At most one message a second. Progress is a courtesy: a client that has gone is told by its end, not here. */
function throttled(context: ToolContext): (message: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (message) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS) return;
    last = now;
    context.progress(message).catch(() => undefined);
  };
}
