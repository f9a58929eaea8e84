import type { ToolGateway } from '@capstan/contracts';
import { callTool } from '../call-tool.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import { listTools } from '../list-tools.ts';
import type { ServerHealth } from '../servers/server-pool.ts';

/** A session's gateway: the port that agents see, and what its owner needs besides. */
export interface Gateway extends ToolGateway {
  health(): ServerHealth[];
  /** Ends every server process; none is left when it resolves. */
  close(): Promise<void>;
}

/** The way in for agents of this process. */
export function gatewayPort(parts: GatewayParts): Gateway {
  return {
    listTools: (context) => listTools(parts, context),
    callTool: (call, context) => callTool(parts, call, context),
    health: () => parts.pool.health(),
    close: () => parts.pool.close(),
  };
}
