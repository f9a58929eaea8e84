/** Time as a parameter: nothing in Capstan reads the system clock except the composition root. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** For how long something takes or may take: never set by anybody, and still while the machine sleeps. */
export interface SteadyClock {
  /** Milliseconds; only differences mean something, and only within one process. */
  steady(): number;
}

/** Identifiers as a parameter, so that tests and replays are repeatable. */
export interface Ids {
  /** A new identifier that starts with `prefix` and a hyphen and is unique on every machine. */
  next(prefix: string): string;
}
