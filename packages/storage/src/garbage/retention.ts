/** What is kept, and for how long. Times are counted from the last use of a session. */
export interface Retention {
  /** Sessions that ended without changes, or whose changes were applied. */
  readonly endedMilliseconds: number;
  /** Sessions whose changes were not applied, and such as were broken off. At least as long as the other. */
  readonly unappliedMilliseconds: number;
  /** The newest sessions stay, whatever their age. */
  readonly newest: number;
  /** These stay, whatever their age. */
  readonly sessions: readonly string[];
  /** When the data folder is larger, sessions of the first kind go early, oldest first. Bytes. */
  readonly maximumBytes?: number;
}
