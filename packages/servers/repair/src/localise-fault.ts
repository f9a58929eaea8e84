import { detectChecks, permitChecks, type RepositoryReader } from '@capstan/checks';
import { type Check, type SandboxRunner, toFailure } from '@capstan/contracts';
import { type Location, localise, readWorkspace, reproduce, testsWith, workspaceDigest } from '@capstan/repair';
import { defineTool, param, type Tool, type ToolReply } from '@capstan/tool-server';
import { protectedPaths } from '@capstan/workspace';
import { z } from 'zod';
import { runsBuiltFiles } from './built-tests.ts';
import { KeptLocalisation } from './kept-answers.ts';
import { openDeps } from './open-deps.ts';
import { type RepairOptions, runtimeInside } from './repair-options.ts';
import { digestId, type RepairState } from './repair-state.ts';

/** What all three tools of this server work with. */
export interface RepairParts {
  readonly options: RepairOptions;
  readonly reader: RepositoryReader;
  readonly runner: SandboxRunner;
  readonly state: RepairState;
}

const SHOWN_LOCATIONS = 10;
const BUDGET_MS = 600_000;

const Output = z.strictObject({
  localisationId: z.string(),
  checkId: z.string(),
  runs: z.number().int(),
  failing: z.array(z.string()).describe('Tests that failed in every run'),
  unstable: z.array(z.string()).describe('Tests whose outcome changed between runs: set aside'),
  passing: z.number().int(),
  harness: z.enum(['screened', 'isolated']).optional(),
  locations: z.array(z.strictObject({ path: z.string(), line: z.number(), suspicion: z.number() })),
  left: z.array(z.string()).describe('Suspected files that the configuration protects: no patch changes them'),
  unread: z.int().describe('Modules that tests reach and that were too many to look at'),
});

/** The tool that reproduces failing tests and ranks the code that they reach (requirements N1, N2, N3). */
export function localiseFaultTool(parts: RepairParts): Tool {
  return defineTool({
    name: 'localise_fault',
    title: 'Localise fault',
    description:
      'Runs the unpatched tests several times in a sandbox, sets unstable ones aside, and ranks places of the code by how ' +
      'much the failing tests speak against them (coverage per test). Works for node:test suites of JavaScript and ' +
      'TypeScript only. Use it before propose_patches; to run tests alone use run_check of exec. It changes nothing.',
    tier: 'write',
    idempotent: true,
    input: z.strictObject({
      checkId: z
        .string()
        .max(200)
        .optional()
        .describe('A test check of exec list_checks, e.g. "npm:test"; else the first'),
      runs: z.int().min(1).max(10).default(3).describe('Runs of the unpatched suite, e.g. 3'),
      budgetMs: z.int().min(1000).max(600_000).default(BUDGET_MS).describe('Wall time for this call, e.g. 120000'),
    }),
    output: Output,
    handler: async ({ checkId, runs, budgetMs }, context) => {
      const { permitted } = permitChecks(await detectChecks(parts.reader), parts.options.checks);
      const checks = permitted.filter((check) => check.kind === 'test');
      const check = checkId === undefined ? checks[0] : checks.find((one) => one.id === checkId);
      if (check === undefined) return noCheck(checkId, checks);
      if (check.framework !== 'node-test') return notReadable(check);
      const workspace = await workspaceDigest(parts.options.root);
      const { protect } = parts.options;
      const id = digestId('localisation', { workspace, check, runs, ...(protect.length > 0 ? { protect } : {}) });
      const known = await parts.state.read(id, KeptLocalisation);
      if (known !== undefined) return describe(id, check, runs, known);
      try {
        const deps = await openDeps(parts.options, parts.runner, context);
        const modules = await readWorkspace(parts.options.root);
        const isProtected = protectedPaths(protect);
        if (await runsBuiltFiles(check, modules, parts.reader)) return needsBuild(check);
        const found = await reproduce(deps, modules, check, {
          runs,
          milliseconds: budgetMs,
          suiteMilliseconds: parts.options.longestMs,
        });
        if (found.kind === 'failure') return { failure: found.failure };
        const kept: KeptLocalisation =
          found.kind === 'none-failing'
            ? { workspace, passing: found.passing, locations: [], left: [], unread: modules.unread }
            : {
                workspace,
                baseline: found.baseline,
                passing: testsWith(found.baseline, 'passed').length,
                unread: modules.unread,
                ...withoutProtected(localise(found.baseline, modules, runtimeInside), isProtected),
              };
        await parts.state.write(id, kept);
        return describe(id, check, runs, kept);
      } catch (error) {
        return { failure: toFailure(error) };
      }
    },
  });
}

/** What may be patched, and which files that are suspected too may not. */
function withoutProtected(
  locations: readonly Location[],
  isProtected: (path: string) => boolean,
): Pick<KeptLocalisation, 'locations' | 'left'> {
  const left = locations.filter(({ path }) => isProtected(path)).map(({ path }) => path);
  return { locations: locations.filter(({ path }) => !isProtected(path)), left: [...new Set(left)] };
}

function noCheck(checkId: string | undefined, checks: readonly Check[]): ToolReply {
  if (checks.length === 0) {
    const hint = 'Add a test script to package.json, e.g. "node --test".';
    return { failure: { level: 'fatal', code: 'no-tests', message: 'This repository has no test command.', hint } };
  }
  const ids = checks.map((check) => check.id).join(', ');
  return param(`There is no test check "${checkId}".`, `Use one of: ${ids}.`);
}

function notReadable(check: Check): ToolReply {
  const runner = check.framework === 'other' ? 'a runner that it does not know' : check.framework;
  const message = `Test-guided repair reads node:test suites so far; the tests here run under ${runner}.`;
  return { failure: { level: 'fatal', code: 'unsolved', message, hint: 'Use a chat model for this repository.' } };
}

function needsBuild(check: Check): ToolReply {
  const message = `The tests of ${check.id} run built files; repair changes sources without building them.`;
  return { failure: { level: 'fatal', code: 'unsolved', message, hint: 'Use a chat model for this repository.' } };
}

function describe(id: string, check: Check, runs: number, kept: KeptLocalisation): ToolReply {
  const { baseline, passing } = kept;
  const failing = baseline === undefined ? [] : testsWith(baseline, 'failed');
  const unstable = baseline === undefined ? [] : testsWith(baseline, 'unstable');
  const locations = linesOf(kept).slice(0, SHOWN_LOCATIONS);
  const counts = `${failing.length} failing, ${passing} passing, ${unstable.length} unstable in ${runs} runs of ${check.id}.`;
  const left = kept.left.slice(0, SHOWN_LOCATIONS);
  const leftLine = left.length > 0 ? [`Left out, as the configuration protects them: ${left.join(', ')}`] : [];
  const unreadLine = kept.unread > 0 ? [`Not looked at, as they are too many: ${kept.unread} modules.`] : [];
  const lines = locations.map(({ path, line, suspicion }) => `- ${path}:${line} (${suspicion.toFixed(2)})`);
  return {
    text: [counts, ...(lines.length > 0 ? ['Most suspicious lines:', ...lines] : []), ...leftLine, ...unreadLine].join(
      '\n',
    ),
    structured: {
      localisationId: id,
      checkId: check.id,
      runs,
      failing,
      unstable,
      passing,
      ...(baseline === undefined ? {} : { harness: baseline.harness }),
      locations,
      left,
      unread: kept.unread,
    },
  };
}

/** One entry per line, with the highest suspicion on it. */
function linesOf({ locations }: KeptLocalisation): { path: string; line: number; suspicion: number }[] {
  const lines = new Map<string, { path: string; line: number; suspicion: number }>();
  for (const { path, line, suspicion } of locations) {
    const key = `${path}:${line}`;
    if ((lines.get(key)?.suspicion ?? -1) < suspicion) lines.set(key, { path, line, suspicion });
  }
  return [...lines.values()].sort((first, second) => second.suspicion - first.suspicion);
}
