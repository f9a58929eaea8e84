import type { EventRow } from '@capstan/contracts';
import type { Storage } from '@capstan/storage';

/** Reading is cheap (one indexed query), and people see a delay from about a tenth of a second. */
const pollMilliseconds = 60;

export interface LogFollower {
  readonly sessionId: string;
  readonly lastType: string | undefined;
  /** Shows what there is by now. */
  catchUp(): Promise<void>;
  /** Shows what is left and stops. */
  finish(): Promise<void>;
}

/** Calls `show` for every row of a session's log, in order, as rows appear: from the first, each once. */
export function followLog(storage: Storage, sessionId: string, show: (row: EventRow) => void): LogFollower {
  let after = 0;
  let lastType: string | undefined;
  let busy: Promise<void> = Promise.resolve();
  const drain = async () => {
    for (const row of await storage.readEvents(sessionId, after)) {
      after = row.number;
      lastType = row.body.type;
      show(row);
    }
  };
  const next = () => {
    busy = busy.then(drain, drain);
    return busy;
  };
  // A read that fails now (a busy disk) may work next time; the last one, in finish, tells.
  const timer = setInterval(() => void next().catch(() => undefined), pollMilliseconds);
  return {
    sessionId,
    get lastType() {
      return lastType;
    },
    catchUp: next,
    async finish() {
      clearInterval(timer);
      await next();
    },
  };
}
