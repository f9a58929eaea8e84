import type { Trust, WireTool } from '@capstan/contracts';

/** A server's answer to `tools/list`, and what it is called. */
export interface LintedServer {
  readonly name: string;
  /** For `third-party` servers rules of the gateway apply that our own are free of. */
  readonly trust: Trust;
  readonly tools: readonly WireTool[];
}
