import type { WireTool } from '@capstan/contracts';
import type { LintLevel } from './lint-finding.ts';
import type { LintedServer } from './linted-server.ts';

/** What a rule says; its id and the server are added by who runs it. */
export interface Found {
  readonly level: LintLevel;
  readonly tool?: string;
  readonly message: string;
  readonly advice: string;
}

/** One thing to look for. Pure: the same lists give the same findings, in the same order. */
export interface Rule {
  readonly id: string;
  /** Looks at one server; `all` are the servers that are looked at together, this one included. */
  look(server: LintedServer, all: readonly LintedServer[]): readonly Found[];
}

type Said = Omit<Found, 'tool'>;

/** A rule that looks at each tool for itself. */
export function toolRule(id: string, look: (tool: WireTool, server: LintedServer) => Said | undefined): Rule {
  return {
    id,
    look: (server) =>
      server.tools.flatMap((tool) => {
        const said = look(tool, server);
        return said === undefined ? [] : [{ ...said, tool: tool.name }];
      }),
  };
}
