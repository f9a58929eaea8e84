import type { EventBody, EventLog, Label } from '@capstan/contracts';

interface TaintState {
  /** External content has come into the session. */
  readonly external: boolean;
  /** Secret content has come into the session. */
  readonly secret: boolean;
}

/** What a session has come to hold. Read from the event log, so that a restart forgets nothing. */
export interface SessionTaint {
  current(): Promise<TaintState>;
  /** Records what a result brings in; to be awaited before anybody gets the result. */
  raise(label: Label, callId: string): Promise<void>;
}

/** Follows the log by row number: rows of other writers count, and no row is read twice. */
export function createSessionTaint(events: EventLog): SessionTaint {
  let last = 0;
  let state: TaintState = { external: false, secret: false };
  const current = async (): Promise<TaintState> => {
    if (state.external && state.secret) return state;
    for (const row of await events.read(last)) {
      last = Math.max(last, row.number);
      for (const label of labelsIn(row.body)) state = withLabel(state, label);
    }
    return state;
  };
  return {
    current,
    async raise(label, callId) {
      const known = await current();
      const next = withLabel(known, label);
      if (next.external === known.external && next.secret === known.secret) return;
      const key = `taint-rise:${next.external ? 'external' : ''}:${next.secret ? 'secret' : ''}`;
      await events.append(key, { type: 'taint-rise', callId, label });
      state = withLabel(state, label);
    },
  };
}

function withLabel(state: TaintState, label: Label): TaintState {
  return {
    external: state.external || label.integrity === 'external',
    secret: state.secret || label.secrecy === 'secret',
  };
}

function labelsIn(body: EventBody): Label[] {
  if (body.type === 'taint-rise') return [body.label];
  if (body.type === 'run-start') return [body.task.label];
  if (body.type === 'tool-result' && body.outcome.kind === 'result') return [body.outcome.result.label];
  return [];
}
