import type { Failure } from '@capstan/contracts';
import { type Candidate, proposePatches, readWorkspace, type WorkspaceModules, workspaceDigest } from '@capstan/repair';
import { KeptLocalisation } from './kept-answers.ts';
import type { RepairParts } from './localise-fault.ts';

/** A localisation together with the workspace that it is about, and the patches proposed from both. */
export interface OpenProposal {
  readonly localisation: KeptLocalisation;
  readonly modules: WorkspaceModules;
  readonly candidates: readonly Candidate[];
}

/** Makes the patches of a localisation, always the same ones; a failure when the workspace has changed since. */
export async function openProposal(
  { options, state }: RepairParts,
  localisationId: string,
  limit: number,
): Promise<OpenProposal | { readonly failure: Failure }> {
  const localisation = await state.read(localisationId, KeptLocalisation);
  if (localisation === undefined) {
    return refuse(
      `There is no localisation "${localisationId}".`,
      'Call localise_fault first and use the id it gives.',
    );
  }
  if (localisation.workspace !== (await workspaceDigest(options.root))) {
    return refuse('The workspace has changed since this localisation.', 'Call localise_fault again.');
  }
  const modules = await readWorkspace(options.root);
  return { localisation, modules, candidates: proposePatches(modules, localisation.locations, limit) };
}

function refuse(message: string, hint: string): { readonly failure: Failure } {
  return { failure: { level: 'param', code: 'bad-argument', message, hint } };
}
