import type { WireTool } from '@capstan/contracts';
import type { Breaker, BreakerState } from '@capstan/resilience';

/** A `tools/call` result as it came over the wire. */
export interface WireResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: Record<string, unknown> | undefined;
}

export interface WireCall {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly callId: string;
  readonly milliseconds: number;
  /** `milliseconds` is all that the run has left. */
  readonly endsRun?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
}

/** A connected server. */
export interface ServerClient {
  /** Rejects with what the SDK throws. */
  callTool(call: WireCall): Promise<WireResult>;
  listTools(): Promise<readonly WireTool[]>;
}

export interface ServerHealth {
  readonly server: string;
  /** `idle`: not started yet, or ended. */
  readonly state: 'idle' | 'running' | 'failed';
  readonly breaker: BreakerState;
  /** How often its process has been started. */
  readonly starts: number;
  readonly pid?: number;
  /** The last output on standard error. */
  readonly diagnostics: string;
  readonly containment: string;
}

/** The servers of one gateway: started when first needed, each failing for itself alone (requirement G10). */
export interface ServerPool {
  /** The running server, started and listed if it was not. Throws `server-failed` or `no-sandbox`. */
  client(server: string): Promise<ServerClient>;
  breaker(server: string): Breaker;
  /** Asks a running server for its list again. */
  refresh(server: string): Promise<void>;
  health(): ServerHealth[];
  /** Ends every process; none is left when it resolves. */
  close(): Promise<void>;
}
