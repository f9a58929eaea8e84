import type { SandboxProfile, Tier, Trust } from '@capstan/contracts';

/** One MCP server as the composition root declares it. Nothing that a server says about itself can widen this. */
export interface ServerSpec {
  /** Lower-case letters, digits and single hyphens or underscores; part of every tool name. */
  readonly name: string;
  readonly trust: Trust;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Tiers that we or the user assigned; annotations can only raise them. */
  readonly tiers?: Readonly<Record<string, Tier>>;
  /** Tools of official servers whose writes stay in the session's workspace: allowed without a question. */
  readonly contained?: readonly string[];
  /**
   * Tools of official servers that run detected command templates in the sandbox without network, with the names of the
   * arguments that only choose a template. Contained as long as all other arguments are untainted.
   */
  readonly runs?: Readonly<Record<string, readonly string[]>>;
  /** Free shells, and tools that run code with network. */
  readonly shells?: readonly string[];
  /** Tools that send things out, or fetch from outside: destinations are checked, results are external. `openWorldHint` of official servers adds to them. */
  readonly egress?: readonly string[];
  /** Tools of official servers whose result depends on arguments and workspace content alone: may be cached. */
  readonly pure?: readonly string[];
  /** For third-party servers: what they see inside the sandbox that they are started in. */
  readonly profile?: SandboxProfile;
  /** Tools of tier dangerous that were switched on by name. */
  readonly enabledDangerous?: readonly string[];
  /** Wall time of one call; 10 minutes for official servers and 1 minute for others by default. */
  readonly callMilliseconds?: number;
  /** Protocol era spoken to it: `modern` (2026-07-28) for official servers, `legacy` for others by default. */
  readonly era?: 'modern' | 'legacy';
}
