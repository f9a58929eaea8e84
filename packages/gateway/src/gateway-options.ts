import type { BlobStore, Clock, Ids, SandboxKind, SessionStorage, SteadyClock } from '@capstan/contracts';
import type { LimitOptions } from './limits.ts';
import type { ServerSpec } from './server-spec.ts';
import type { Stage } from './stage.ts';

/** Everything that a gateway of one session needs. */
export interface GatewayOptions {
  readonly servers: readonly ServerSpec[];
  readonly session: SessionStorage;
  readonly blobs: BlobStore;
  readonly clock: Clock & SteadyClock;
  readonly ids: Ids;
  /** Key of the argument and result digests, and of the markers around external content. */
  readonly auditKey: Uint8Array;
  /** Replaces secrets; text that it changes counts as secret. */
  readonly redact: (text: string) => string;
  readonly workspaceRoot: string;
  /** `strict` asks for every write. */
  readonly approvals: 'contained' | 'strict';
  /** What the user typed: addresses and hosts in it are destinations that the user named. */
  readonly userText: string;
  /** Hosts, addresses and URLs that calls may go to without being named in the task. */
  readonly allowedDestinations?: readonly string[];
  /** Patterns of workspace paths that may be read and not changed, beside those that are never changed. */
  readonly protectedPaths?: readonly string[];
  readonly sandbox: { readonly kind: SandboxKind; readonly searchPath: string };
  /** How long an approval may be given and used. */
  readonly approvalMilliseconds: number;
  /** Start, end, trouble and own words of server processes, refused definitions: for logs, never for models. Not redacted. */
  readonly onDiagnostic?: (message: string) => void;
  /** Where a person finds these messages, for hints, e.g. a file; "the health view" by default. */
  readonly diagnosticsPlace?: string;
  readonly limits?: Partial<LimitOptions>;
  /**
   * A digest of the workspace's content, ignored files included, that changes with every change of a file. Without it
   * nothing is cached, because files also change outside of the gateway.
   */
  readonly workspaceState?: () => Promise<string>;
  /** Only for the check that every stage is needed. */
  readonly stages?: readonly Stage[];
}
