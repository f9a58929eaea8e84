import type { ToolDefinition } from '@capstan/contracts';
import type { Sink } from '../flow/sink-table.ts';
import type { ServerSpec } from '../server-spec.ts';

/** A tool with everything that the stages ask about it. */
export interface CatalogTool {
  readonly definition: ToolDefinition;
  readonly spec: ServerSpec;
  /** Digest over every field that a model sees. */
  readonly pin: string;
  readonly sink: Sink;
  /** It sends things out, or fetches from outside: its results are external. */
  readonly egress: boolean;
  /** Doing it twice is doing it once, and its server is one whose word counts. */
  readonly idempotent: boolean;
  /** An official server's tool that takes `dryRun`. */
  readonly dryRun: boolean;
  /** Why it cannot be called in this session. */
  readonly blocked?: Block;
}

export interface Block {
  readonly rule: string;
  readonly message: string;
}
