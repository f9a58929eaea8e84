import type { CallOutcome, ToolCall, ToolDefinition } from './tool.ts';

/** Who makes a call, and within what rights (requirement G13). */
export interface CallContext {
  readonly sessionId: string;
  readonly runId: string;
  readonly agent: string;
  /** The person on whose behalf the session runs. */
  readonly actor: string;
  /** Names (`server__tool`) that this agent declared; the gateway refuses all else. */
  readonly tools: readonly string[];
  readonly signal?: AbortSignal;
  /** When the run's time is spent, on the steady clock: no call lasts longer. */
  readonly deadline?: number;
  readonly dryRun?: boolean;
  readonly onProgress?: (message: string) => void;
}

/** The only way from an agent to a tool. */
export interface ToolGateway {
  listTools(context: Pick<CallContext, 'agent' | 'tools'>): Promise<ToolDefinition[]>;
  /** Never throws, never waits for people: every end is a value. */
  callTool(call: ToolCall, context: CallContext): Promise<CallOutcome>;
}
