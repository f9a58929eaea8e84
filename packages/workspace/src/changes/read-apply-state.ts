import { ChangeJournal } from './change-journal.ts';
import { type ApplyState, applyStateOf } from './checkout-change.ts';

/** Where the changes of the session in this folder stand in its checkout. Reads only. */
export async function readApplyState(folder: string): Promise<ApplyState> {
  return applyStateOf(await new ChangeJournal(folder).all());
}
