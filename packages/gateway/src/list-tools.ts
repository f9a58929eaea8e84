import type { CallContext, ToolDefinition } from '@capstan/contracts';
import type { CatalogTool } from './catalog/catalog-tool.ts';
import type { GatewayParts } from './gateway-parts.ts';

/**
 * The tools that an agent declared and may be shown: blocked ones and dangerous ones that are off are left out. A server
 * that cannot be started leaves out only its own.
 */
export async function listTools(
  gateway: GatewayParts,
  context: Pick<CallContext, 'agent' | 'tools'>,
): Promise<ToolDefinition[]> {
  const servers = new Set(context.tools.flatMap((name) => gateway.catalog.serverOf(name)?.name ?? []));
  await Promise.all([...servers].map((server) => look(gateway, server)));
  const shown = context.tools.flatMap((name) => gateway.catalog.get(name) ?? []).filter(mayBeShown);
  return shown.map((tool) => tool.definition);
}

/** Others than our own may have changed their list without saying so: they are asked again. */
async function look(gateway: GatewayParts, server: string): Promise<void> {
  try {
    await gateway.pool.client(server);
    const isOwn = gateway.options.servers.some((spec) => spec.name === server && spec.trust === 'official');
    if (!isOwn) await gateway.pool.refresh(server);
  } catch (error) {
    gateway.options.onDiagnostic?.(`${server}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function mayBeShown({ blocked, definition, spec }: CatalogTool): boolean {
  if (blocked !== undefined) return false;
  return definition.tier !== 'dangerous' || spec.enabledDangerous?.includes(definition.tool) === true;
}
