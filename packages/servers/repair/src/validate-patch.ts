import { type Failure, toFailure } from '@capstan/contracts';
import {
  type Candidate,
  type Judged,
  type LineEdit,
  patchId,
  type Ranking,
  rankPatches,
  textEditOf,
  validatePatches,
} from '@capstan/repair';
import { defineTool, param, type Tool, type ToolContext, type ToolReply } from '@capstan/tool-server';
import { z } from 'zod';
import { describePatch } from './describe-patch.ts';
import { KeptProposal, KeptVerdicts } from './kept-answers.ts';
import type { RepairParts } from './localise-fault.ts';
import { openDeps } from './open-deps.ts';
import { type OpenProposal, openProposal } from './open-proposal.ts';
import { digestId } from './repair-state.ts';

const CHUNK = 500;
const BUDGET_MS = 120_000;
const SHOWN = 12;

const Edit = z.strictObject({
  path: z.string().max(500).describe('Relative to the workspace, e.g. "src/sum.mjs"'),
  line: z.int().min(1).describe('First line of oldText, e.g. 12'),
  oldText: z.string().max(20_000).describe('Whole lines, e.g. "  return a - b;"'),
  newText: z.string().max(20_000).describe('What to put there, e.g. "  return a + b;"'),
});

const PlausiblePatch = z.strictObject({
  patchId: z.string(),
  rank: z.number().int(),
  group: z.number().int().describe('Patches of one group behaved alike on all inputs that were tried'),
  diff: z.string(),
  edits: z.array(Edit).describe('Whole lines, as the edit_files tool of fs-write takes them'),
  fixes: z.array(z.string()),
  reason: z.string(),
  disables: z.string().optional().describe('What the patch looks as if it took away, instead of mending it'),
});

const Output = z.strictObject({
  tried: z.number().int(),
  plausible: z.array(PlausiblePatch),
  distinguishing: z.array(
    z.strictObject({ groups: z.array(z.number()), input: z.string(), outcomes: z.array(z.string()) }),
  ),
  exhausted: z.boolean().describe('Whether every patch that was asked for has been judged'),
});

const Input = z.strictObject({
  proposalId: z.string().max(100).describe('From propose_patches, e.g. "proposal-0f3a"'),
  from: z.int().min(0).optional().describe('Index of the first patch, e.g. 500; 0 by default'),
  count: z.int().min(1).optional().describe('How many patches, e.g. 500; all by default'),
  patches: z
    .array(
      z.strictObject({ edits: z.array(Edit).min(1).max(20).describe('Edits of one patch, e.g. one for each place') }),
    )
    .min(1)
    .max(50)
    .optional()
    .describe('Patches of your own instead, e.g. [{"edits":[{"path":"a.mjs","line":1,"oldText":"1","newText":"2"}]}]'),
  budgetMs: z.int().min(1000).max(600_000).default(BUDGET_MS).describe('Wall time for this call, e.g. 120000'),
});

/** The tool that judges patches by the tests (requirements N1, N2, N3). */
export function validatePatchTool(parts: RepairParts): Tool {
  return defineTool({
    name: 'validate_patch',
    title: 'Validate patches',
    description:
      'Applies each patch to a private copy, runs the tests in sandboxed processes and ranks those that fix at least one ' +
      'failing test and break none. Use it after propose_patches, or for patches of your own. Plausible is not proven: no ' +
      'more than "passes your tests"; where patches behave differently, an input that tells them apart is shown. Called ' +
      'again it goes on with what is left. It changes nothing: apply a patch by its edits with edit_files.',
    tier: 'write',
    idempotent: true,
    input: Input,
    output: Output,
    handler: async (input, context) => {
      const deadline = performance.now() + input.budgetMs;
      const proposal = await parts.state.read(input.proposalId, KeptProposal);
      if (proposal === undefined) {
        return param(
          `There is no proposal "${input.proposalId}".`,
          'Call propose_patches first and use the id it gives.',
        );
      }
      const open = await openProposal(parts, proposal.localisationId, proposal.limit);
      if ('failure' in open) return open;
      const chosen = chooseCandidates(open, input);
      if ('failure' in chosen) return chosen;
      try {
        return await judge(parts, context, open, chosen.candidates, { ...input, deadline });
      } catch (error) {
        return { failure: toFailure(error) };
      }
    },
  });
}

function chooseCandidates(
  open: OpenProposal,
  { from = 0, count, patches }: z.output<typeof Input>,
): { readonly candidates: readonly Candidate[] } | { readonly failure: Failure } {
  if (patches === undefined) {
    return { candidates: open.candidates.slice(from, count === undefined ? undefined : from + count) };
  }
  const candidates: Candidate[] = [];
  for (const { edits } of patches) {
    const candidate = ownCandidate(open, edits);
    if ('failure' in candidate) return candidate;
    candidates.push(candidate);
  }
  return { candidates };
}

/** A patch that somebody else wrote: as suspicious as can be, since they chose the place. */
function ownCandidate(
  { modules }: OpenProposal,
  edits: readonly LineEdit[],
): Candidate | { readonly failure: Failure } {
  const exact = [];
  for (const edit of edits) {
    const file = modules.sources.find((one) => one.path === edit.path);
    if (file === undefined)
      return param(`"${edit.path}" is no source file that tests reach.`, 'Tests cannot be patched.');
    const found = textEditOf(file.text, edit);
    if (found === undefined)
      return param(`oldText is not at line ${edit.line} of "${edit.path}".`, 'Read the file again.');
    exact.push(found);
  }
  const line = edits[0]?.line ?? 1;
  return {
    patch: { id: patchId(exact), edits: exact, operator: 'given', line, suspicion: 1, prior: 1 },
    targets: [],
  };
}

/** Judges what has no verdict yet, keeps each chunk of verdicts, and ranks all that was asked for. */
async function judge(
  parts: RepairParts,
  context: ToolContext,
  open: OpenProposal,
  candidates: readonly Candidate[],
  { proposalId, deadline }: { readonly proposalId: string; readonly deadline: number },
): Promise<ToolReply> {
  const { baseline } = open.localisation;
  if (baseline === undefined) return param('No test failed in this localisation.', 'There is nothing to validate.');
  const verdictsId = digestId('verdicts', { proposalId });
  let verdicts = (await parts.state.read(verdictsId, KeptVerdicts)) ?? {
    judged: [],
    passed: [],
    baseOutcomes: [],
    inputs: [],
  };
  const deps = await openDeps(parts.options, parts.runner, context);
  const judged = new Set(verdicts.judged);
  const pending = candidates.filter(({ patch }) => !judged.has(patch.id));
  for (let at = 0; at < pending.length && performance.now() < deadline; at += CHUNK) {
    const chunk = pending.slice(at, at + CHUNK);
    const milliseconds = Math.max(1000, Math.round(deadline - performance.now()));
    const found = await validatePatches(deps, open.modules, baseline, chunk, { milliseconds });
    for (const id of found.judged) judged.add(id);
    const passed = found.plausible.map(({ patch, ...rest }) => ({ patchId: patch.id, ...rest }));
    verdicts = {
      judged: [...judged],
      passed: [...verdicts.passed, ...passed],
      baseOutcomes: found.baseOutcomes.length > 0 ? found.baseOutcomes : verdicts.baseOutcomes,
      inputs: found.inputs.length > 0 ? found.inputs : verdicts.inputs,
    };
    await parts.state.write(verdictsId, verdicts);
    if (!found.complete) break;
  }
  const ranking = rankPatches(judgedOf(candidates, verdicts));
  const tried = candidates.filter(({ patch }) => judged.has(patch.id)).length;
  return reply(open, ranking, tried, tried === candidates.length);
}

function judgedOf(candidates: readonly Candidate[], verdicts: KeptVerdicts): Judged {
  const byId = new Map(candidates.map(({ patch }) => [patch.id, patch]));
  const plausible = verdicts.passed.flatMap(({ patchId: id, disables, ...rest }) => {
    const patch = byId.get(id);
    return patch === undefined ? [] : [{ patch, ...rest, ...(disables === undefined ? {} : { disables }) }];
  });
  return { plausible, baseOutcomes: verdicts.baseOutcomes, inputs: verdicts.inputs };
}

function reply(open: OpenProposal, ranking: Ranking, tried: number, exhausted: boolean): ToolReply {
  const plausible = ranking.patches.slice(0, SHOWN).map((patch) => describePatch(open.modules, ranking, patch));
  const groups = new Set(ranking.patches.map((patch) => patch.group)).size;
  const lines = plausible.slice(0, 3).map(({ rank, diff, reason, disables }) => {
    return `${rank}. ${reason}${disables === undefined ? '' : ` It looks like it disables ${disables}.`}\n${diff}`;
  });
  const difference = ranking.distinguishing[0];
  const advice =
    difference === undefined
      ? []
      : [`Patches differ on ${difference.input}: ${difference.outcomes.join(' or ')}. A test for it would decide.`];
  const counts = `${tried} patches tried, ${ranking.patches.length} plausible in ${groups} groups by behaviour.`;
  return {
    text: [counts, ...lines, ...advice].join('\n'),
    structured: {
      tried,
      plausible,
      distinguishing: ranking.distinguishing.map(({ groups: pair, input, outcomes }) => ({
        groups: [...pair],
        input,
        outcomes: [...outcomes],
      })),
      exhausted,
    },
  };
}
