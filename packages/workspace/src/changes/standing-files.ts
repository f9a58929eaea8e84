import { ChangeJournal } from './change-journal.ts';
import { standingApply } from './checkout-change.ts';

/** The files that an undo is about: those of an apply that was broken off, else of the newest that stands. */
export async function standingFiles(folder: string): Promise<string[]> {
  const changes = await new ChangeJournal(folder).all();
  const change = changes.find(({ state }) => state === 'begun') ?? standingApply(changes);
  return change === undefined ? [] : change.steps.map(({ path }) => path);
}
