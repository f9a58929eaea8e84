import { type Approval, CapstanError } from '@capstan/contracts';
import { durationWords } from '../event-words.ts';

/** Tells somebody who comes too late what became of a question: who answered, and how, or that nobody did in time. */
export function closedQuestion(approval: Approval, now: number): CapstanError {
  const { sessionId, callId, tool, status } = approval;
  const hint =
    status === 'expired' || status === 'denied'
      ? `Nothing is left to answer. Go on without it: capstan resume ${sessionId}`
      : `Nothing is left to answer. See what came of it: capstan trace ${sessionId}`;
  return new CapstanError('approval-closed', `${tool} (${callId}): ${whatHappened(approval, now)}.`, { hint });
}

function whatHappened({ status, decidedBy, decidedAt, expiresAt }: Approval, now: number): string {
  const ago = (at: number) => `${durationWords(Math.max(0, now - at))} ago`;
  const answered = `${decidedBy ?? 'somebody'}${decidedAt === undefined ? '' : ` ${ago(decidedAt)}`}`;
  switch (status) {
    case 'expired':
      return `nobody answered in time; the question expired ${ago(expiresAt)} and counts as refused`;
    case 'denied':
      return `it was refused by ${answered}`;
    case 'used':
      return `it was approved by ${answered}, and the call has been made`;
    default:
      return `it was approved by ${answered}`;
  }
}
