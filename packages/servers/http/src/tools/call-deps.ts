import type { BoundedQueue } from '@capstan/resilience';
import type { NetworkDeps } from '../network/perform-request.ts';

/** What the tools of this server need. */
export interface CallDeps extends NetworkDeps {
  readonly queue: BoundedQueue;
  /** Replaces every secret of the configuration, in its usual encodings. */
  readonly redact: (text: string) => string;
  /** Length of the longest secret in its longest encoding. Characters. */
  readonly longestSecret: number;
}
