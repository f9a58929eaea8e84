import type { Approval } from '@capstan/contracts';
import type { Composition } from '../compose.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { type QuestionContext, questionContext } from './question-context.ts';

/** What answering works with: the open data folder, and what the person asked for. */
export interface Desk {
  readonly composition: Composition;
  readonly settings: Settings;
  readonly context: CommandContext;
  readonly options: { readonly deny: boolean; readonly all: boolean; readonly resume: boolean; readonly json: boolean };
}

/** What the log knows about a question. */
export async function contextOf(approval: Approval, { storage }: Composition): Promise<QuestionContext> {
  return questionContext(approval, await storage.readEvents(approval.sessionId));
}

/** Questions for machines: the rows of the ledger, with the arguments and labels of their calls. */
export function questionRows(approvals: readonly Approval[], composition: Composition) {
  return Promise.all(
    approvals.map(async (approval) => {
      const { call, labels } = await contextOf(approval, composition);
      return { ...approval, arguments: call?.arguments ?? null, taint: call?.taint ?? null, labels };
    }),
  );
}
