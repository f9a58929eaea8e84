import { type Candidate, lineEditOf } from '@capstan/repair';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import type { KeptProposal } from './kept-answers.ts';
import type { RepairParts } from './localise-fault.ts';
import { type OpenProposal, openProposal } from './open-proposal.ts';
import { digestId } from './repair-state.ts';

const SHOWN = 5;
const LIMIT = 6000;

const Output = z.strictObject({
  proposalId: z.string(),
  count: z.number().int(),
  byOperator: z.record(z.string(), z.number().int()),
  top: z.array(
    z.strictObject({
      patchId: z.string(),
      operator: z.string(),
      path: z.string(),
      line: z.number(),
      before: z.string(),
      after: z.string(),
    }),
  ),
});

/** The tool that lists candidate patches, untested (requirements N1, N2). */
export function proposePatchesTool(parts: RepairParts): Tool {
  return defineTool({
    name: 'propose_patches',
    title: 'Propose patches',
    description:
      'Proposes one-place changes of the suspicious code of a localisation, by general operators (comparison and boundary, ' +
      'arithmetic and off by one, names and arguments), the most promising first. Use it after localise_fault. Nothing is ' +
      'tested yet and nothing is changed: pass the proposalId to validate_patch. It cannot write new code or change ' +
      'several places at once.',
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      localisationId: z.string().max(100).describe('From localise_fault, e.g. "localisation-0f3a"'),
      limit: z.int().min(1).max(10_000).default(LIMIT).describe('At most so many patches, e.g. 200'),
    }),
    output: Output,
    handler: async ({ localisationId, limit }) => {
      const open = await openProposal(parts, localisationId, limit);
      if ('failure' in open) return open;
      const kept: KeptProposal = { localisationId, limit };
      const proposalId = digestId('proposal', kept);
      await parts.state.write(proposalId, kept);
      const top = open.candidates.slice(0, SHOWN).map((candidate) => shown(open, candidate));
      const lines = top.map(({ path, line, before, after }) => `- ${path}:${line} ${before} -> ${after}`);
      return {
        text: [`${open.candidates.length} patches proposed, none tested.`, ...lines].join('\n'),
        structured: { proposalId, count: open.candidates.length, byOperator: countByOperator(open.candidates), top },
      };
    },
  });
}

function countByOperator(candidates: readonly Candidate[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { patch } of candidates) counts[patch.operator] = (counts[patch.operator] ?? 0) + 1;
  return counts;
}

function shown({ modules }: OpenProposal, { patch }: Candidate) {
  const edit = patch.edits[0];
  const file = modules.sources.find((one) => one.path === edit?.path);
  const { path, line, oldText, newText } =
    edit === undefined || file === undefined
      ? { path: '', line: patch.line, oldText: '', newText: '' }
      : lineEditOf(file.text, edit);
  return { patchId: patch.id, operator: patch.operator, path, line, before: oldText.trim(), after: newText.trim() };
}
