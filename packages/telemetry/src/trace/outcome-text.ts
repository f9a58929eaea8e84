import { type CallOutcome, resultText } from '@capstan/contracts';

/** How a tool call ended, in words for people; the text of tools may be long and is not made printable. */
export function outcomeText(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'result':
      return resultText(outcome.result);
    case 'denied':
      return `denied (${outcome.rule}): ${outcome.failure.message}`;
    case 'approval-required':
      return 'waits for a person';
    case 'unknown-outcome':
      return `nobody knows whether this happened: ${outcome.summary}`;
    case 'failed':
      return `failed: ${outcome.failure.message}`;
  }
}

/** Whether a person would say that the call did not do what it was to do. */
export function isFailure(outcome: CallOutcome): boolean {
  return outcome.kind === 'result' ? outcome.result.isError : outcome.kind === 'denied' || outcome.kind === 'failed';
}
