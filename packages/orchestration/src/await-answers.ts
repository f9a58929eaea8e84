import { setTimeout as delay } from 'node:timers/promises';
import type { Approval, ApprovalLedger } from '@capstan/contracts';
import type { OrchestrationDeps } from './deps.ts';

/** A person at the prompt sees within this time that somebody else has answered. */
const lookEveryMilliseconds = 300;

/** Names a question in the ledger. */
type Question = Pick<Approval, 'callId' | 'argumentDigest'>;
type Ledger = Pick<ApprovalLedger, 'find'>;
type Deps = Pick<OrchestrationDeps, 'approver' | 'actor'> & {
  readonly storage: Pick<OrchestrationDeps['storage'], 'decideApproval'>;
};

/**
 * Puts the questions of a run to the person who can be asked here, while others may answer from elsewhere: the first answer
 * in the ledger counts, and a question that expires counts as answered. Returns whether any was; the graph reads the
 * answers itself, and tells the log. Without a person here, only what has been answered already counts.
 */
export async function awaitAnswers(questions: readonly Question[], ledger: Ledger, deps: Deps): Promise<boolean> {
  let any = false;
  for (const question of questions) {
    const asked = await openQuestion(question, ledger);
    if (asked !== undefined && deps.approver !== undefined) await untilAnswered(asked, deps.approver, ledger, deps);
    if ((await openQuestion(question, ledger)) === undefined) any = true;
  }
  return any;
}

/** Ends when the question is answered, here or elsewhere, or when nobody here can answer it any more. */
async function untilAnswered(
  asked: Approval,
  approver: NonNullable<OrchestrationDeps['approver']>,
  ledger: Ledger,
  { storage, actor }: Deps,
): Promise<void> {
  const stop = new AbortController();
  const atPrompt = async () => {
    const decision = await approver(asked, stop.signal);
    if (decision === undefined) return;
    await storage.decideApproval(asked.sessionId, asked.callId, asked.argumentDigest, decision, actor);
  };
  const both = [atPrompt(), untilClosed(asked, ledger, stop.signal)];
  try {
    await Promise.race(both);
  } finally {
    stop.abort();
    // The prompt gives the terminal back before anything else is shown there.
    await Promise.allSettled(both);
  }
}

async function untilClosed(question: Question, ledger: Ledger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await openQuestion(question, ledger)) !== undefined) {
    await delay(lookEveryMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** The question while nobody has answered it and there is still time. */
async function openQuestion({ callId, argumentDigest }: Question, ledger: Ledger): Promise<Approval | undefined> {
  const row = await ledger.find(callId, argumentDigest);
  return row?.status === 'waiting' ? row : undefined;
}
