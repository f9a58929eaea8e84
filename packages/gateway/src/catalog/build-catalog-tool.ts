import { createHash } from 'node:crypto';
import { canonicalJson, ToolDefinition, toolName, type WireTool } from '@capstan/contracts';
import { isEgress } from '../flow/is-egress.ts';
import type { Sink } from '../flow/sink-table.ts';
import type { ServerSpec } from '../server-spec.ts';
import type { Block, CatalogTool } from './catalog-tool.ts';
import { definitionBlock } from './definition-block.ts';
import { deriveTier } from './derive-tier.ts';

/** Digest over every field that a model sees (requirement G4). Hexadecimal. */
export function pinDigest(tool: WireTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const seen = { name, title, description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(canonicalJson(seen)).digest('hex');
}

/** What the stages need to know of a tool; undefined when its name cannot be offered to models. */
export function buildCatalogTool(spec: ServerSpec, tool: WireTool, changed?: Block): CatalogTool | undefined {
  const tier = deriveTier(spec, tool);
  const definition = ToolDefinition.safeParse({
    name: toolName(spec.name, tool.name),
    server: spec.name,
    tool: tool.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    tier,
    annotations: tool.annotations ?? {},
  });
  if (!definition.success) return undefined;
  const blocked = changed ?? definitionBlock(spec, tool);
  return {
    definition: definition.data,
    spec,
    pin: pinDigest(tool),
    sink: sinkOf(spec, tool, definition.data.tier),
    egress: isEgress(spec, tool),
    idempotent: spec.trust !== 'third-party' && tool.annotations?.idempotentHint === true,
    dryRun: spec.trust === 'official' && 'dryRun' in Object(tool.inputSchema.properties),
    ...(blocked === undefined ? {} : { blocked }),
  };
}

/** Only an official server can be contained: others write where we cannot look. */
function sinkOf(spec: ServerSpec, tool: WireTool, tier: ToolDefinition['tier']): Sink {
  const official = spec.trust === 'official';
  if (spec.shells?.includes(tool.name)) return 'code';
  if (isEgress(spec, tool)) return 'leaves';
  if (official && spec.runs !== undefined && Object.hasOwn(spec.runs, tool.name)) return 'contained-run';
  if (official && spec.contained?.includes(tool.name)) return 'contained-write';
  return tier === 'read' ? 'read' : 'leaves';
}
