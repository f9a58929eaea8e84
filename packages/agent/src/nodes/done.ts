import { failWith } from '../ending.ts';
import type { Node } from '../node.ts';
import type { Ending } from '../run-state.ts';

/** Shows the diff as it stands, also of a run that did not succeed, and settles how the run ended. */
export const done: Node = async (state, { deps, input, log }) => {
  const { text, changes } = await deps.workspace.diff();
  await log.append(`${input.runId}:diff`, {
    type: 'diff-ready',
    files: changes.map((change) => change.path),
    diff: text,
    held: changes.filter((change) => change.trustBearing).map((change) => change.path),
  });
  return { next: 'done', ending: settle(state.ending ?? { status: 'done' }, state.denials) };
};

/** A run that got nowhere after a refusal was refused: a human can change that. */
function settle(ending: Ending, denials: number): Ending {
  if (ending.status !== 'unsolved' || denials === 0 || ending.failure?.code !== 'unsolved') return ending;
  const hint = 'Approve the call, grant it, or ask for something else.';
  return failWith('denied', `Calls were refused (${denials}). ${ending.failure.message}`, hint);
}
