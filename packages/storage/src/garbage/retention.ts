/** What stays, and for how long. Times are counted from the last use of a session. */
export interface Retention {
  /** For sessions that ended without changes, or whose changes were applied. */
  readonly endedMilliseconds: number;
  /** For sessions whose changes were not applied, and such as were broken off: never less than the other. */
  readonly unappliedMilliseconds: number;
  /** Where there are more sessions, those of the first kind go before their time, oldest first. */
  readonly maximumSessions: number;
  /** The same where the data folder is larger. */
  readonly maximumBytes: number;
}
