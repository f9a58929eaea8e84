import { type Approval, CapstanError, type Failure, type RunRow, type SessionRow } from '@capstan/contracts';
import type { Storage } from '@capstan/storage';
import { type ApplyState, readApplyState } from '@capstan/workspace';
import { isVerified } from './is-verified.ts';
import { type SessionState, sessionStateOf } from './session-state.ts';

/** A session as a list shows it. */
export interface SessionOverview {
  readonly session: SessionRow;
  readonly state: SessionState;
  /** Of its newest run; undefined when its process died before there was one. */
  readonly task: string | undefined;
  readonly runs: readonly RunRow[];
  /** What the diff changes; undefined while that is not known. */
  readonly files: readonly string[] | undefined;
  /** Whether apply takes the changes without being told to take them unverified. */
  readonly verified: boolean;
  readonly waiting: readonly Approval[];
  /** Why its last run did not end well. */
  readonly failure: Failure | undefined;
}

/** Reads how a session stands, from its rows and from what it wrote down of its changes of the checkout. */
export async function readSessionOverview(session: SessionRow, storage: Storage): Promise<SessionOverview> {
  const summary = await storage.summariseSession(session.sessionId);
  const { runs, lastEnd, waiting } = summary;
  const lastRun = runs.at(-1);
  const state = sessionStateOf({ ...summary, lastRun, applyState: await applyStateIn(session.workspace) });
  const atEnd = state !== 'running' && state !== 'broken off';
  return {
    session,
    state,
    task: lastRun?.task.text,
    runs,
    files: atEnd ? lastEnd?.files : undefined,
    verified: lastEnd !== undefined && isVerified(lastEnd),
    waiting,
    failure: atEnd ? lastEnd?.failure : undefined,
  };
}

/** One session with a damaged record must not keep the others from being listed; apply and undo say what is wrong. */
async function applyStateIn(folder: string): Promise<ApplyState> {
  try {
    return await readApplyState(folder);
  } catch (thrown) {
    if (thrown instanceof CapstanError) return 'broken-off';
    throw thrown;
  }
}
