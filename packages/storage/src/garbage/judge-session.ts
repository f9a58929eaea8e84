import type { RunStatus } from '@capstan/contracts';
import type { Retention } from './retention.ts';

/** What decides whether a session may go. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** A process has its lease. */
  readonly held: boolean;
  /** How its last run ended; undefined when it has not, or nobody knows. */
  readonly end: RunStatus | undefined;
  /** It stopped with a question that a person has not answered. */
  readonly asks: boolean;
  readonly changes: boolean;
  readonly applied: boolean;
}

export type SessionVerdict =
  | { readonly action: 'remove'; readonly reason: string }
  /** `early`: may go before its time when the data folder is too large. */
  | { readonly action: 'keep'; readonly reason: string; readonly early: boolean };

const day = 24 * 60 * 60_000;

/**
 * Whether a session may be archived and removed. Never one that runs or waits for a person's answer. A session of the
 * future (the clock was set back) counts as used just now.
 */
export function judgeSession(facts: SessionFacts, retention: Retention, now: number): SessionVerdict {
  if (facts.held) return keep('it is in use');
  if (facts.asks) return keep('it waits for a person');
  const age = Math.max(0, now - facts.lastUsedAt);
  const { kind, early } = kindOf(facts);
  const limit = early
    ? retention.endedMilliseconds
    : Math.max(retention.endedMilliseconds, retention.unappliedMilliseconds);
  if (age >= limit) return { action: 'remove', reason: `${kind}, last used ${days(age)} ago` };
  return { action: 'keep', reason: `${kind}, kept for ${days(limit - age)} more`, early };
}

function kindOf({ end, changes, applied }: SessionFacts): { kind: string; early: boolean } {
  if (end === undefined || end === 'waiting') return { kind: 'broken off', early: false };
  if (applied) return { kind: 'applied', early: true };
  if (changes) return { kind: 'its changes were not applied', early: false };
  return end === 'failed'
    ? { kind: 'failed, can be resumed', early: false }
    : { kind: 'ended, no changes', early: true };
}

function keep(reason: string): SessionVerdict {
  return { action: 'keep', reason, early: false };
}

function days(milliseconds: number): string {
  const value = milliseconds / day;
  if (value < 1) return 'less than a day';
  return Math.floor(value) === 1 ? '1 day' : `${Math.floor(value)} days`;
}
