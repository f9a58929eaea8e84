import type { Check, Patch } from '@capstan/contracts';
import {
  localise,
  proposePatches,
  type RepairDeps,
  rankPatches,
  readWorkspace,
  reproduce,
  validatePatches,
} from '@capstan/repair';
import { createSandboxRunner, defaultLimits, preflight, toolchainFor } from '@capstan/sandbox';

/** What one pass of test-guided repair found for a package with `node --test`. */
export interface RepairOutcome {
  /** `plausible`, `unsolved`, `none-failing`, or the code of a refusal. */
  readonly outcome: string;
  readonly best?: Patch;
  /** All plausible patches, the best first. */
  readonly ranked: readonly Patch[];
  readonly tried: number;
  /** How many plausible patches were ranked, and in how many groups by behaviour. */
  readonly ranking: number;
  readonly groups: number;
  /** CPU milliseconds until the first candidate passed, baseline runs included. */
  readonly firstCpuMs: number | undefined;
}

/** Repairs the package at `root` through the engine, in the sandbox of this machine; the files are not changed. */
export async function repairOnce(root: string): Promise<RepairOutcome> {
  const deps = await openDeps(root);
  const none = { ranked: [], tried: 0, ranking: 0, groups: 0, firstCpuMs: undefined };
  const before = process.cpuUsage();
  const modules = await readWorkspace(root);
  const found = await reproduce(deps, modules, nodeTest);
  if (found.kind !== 'baseline')
    return { ...none, outcome: found.kind === 'failure' ? found.failure.code : found.kind };
  const candidates = proposePatches(modules, localise(found.baseline, modules, deps.runtimeInside));
  const own = process.cpuUsage(before);
  const validation = await validatePatches(deps, modules, found.baseline, candidates);
  const { patches } = rankPatches(validation);
  const best = patches[0]?.patch;
  const hostMs = (own.user + own.system) / 1000;
  const { firstCpuMs } = validation;
  return {
    outcome: best === undefined ? 'unsolved' : 'plausible',
    ...(best === undefined ? {} : { best }),
    ranked: patches.map(({ patch }) => patch),
    tried: validation.judged.length,
    ranking: patches.length,
    groups: new Set(patches.map((patch) => patch.group)).size,
    firstCpuMs: firstCpuMs === undefined ? undefined : Math.round(hostMs + found.baseline.cpuMs + firstCpuMs),
  };
}

const nodeTest: Check = {
  id: 'npm:test',
  kind: 'test',
  framework: 'node-test',
  argv: ['npm', 'test'],
  directArgv: ['node', '--test'],
  directory: '.',
  source: 'package.json scripts.test',
};

async function openDeps(root: string): Promise<RepairDeps> {
  const searchPath = process.env.PATH ?? '';
  const { kind } = await preflight({ searchPath, node: process.execPath });
  const toolchain = await toolchainFor(['node'], searchPath);
  return {
    runner: createSandboxRunner({ kind, searchPath }),
    profile: {
      binds: [...toolchain.binds, { from: root, to: '/workspace', access: 'read' }],
      masked: [],
      environment: toolchain.environment,
      workingDirectory: '/workspace',
      limits: defaultLimits,
    },
    root,
    workspaceInside: '/workspace',
    runtimeInside: '/capstan/repair',
  };
}
