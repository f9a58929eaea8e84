import { Tier, type WireTool } from '@capstan/contracts';
import type { ServerSpec } from '../server-spec.ts';

const order: readonly Tier[] = ['read', 'write', 'dangerous'];
const freeCode = /^(command|cmd|shell|script|bash|code|eval|sql|expression|命令|脚本|代码)$/iu;

/**
 * The tier of a tool (requirement G3): what we or the user assigned, raised by what its server says, never lowered.
 * Without an assignment an official server's own word counts; tools of all others are at least `write`.
 */
export function deriveTier(spec: ServerSpec, tool: WireTool): Tier {
  const assigned = spec.tiers?.[tool.name];
  return highest([
    assigned ?? unassigned(spec, tool),
    saidByServer(tool),
    spec.shells?.includes(tool.name) ? 'dangerous' : 'read',
  ]);
}

function unassigned(spec: ServerSpec, tool: WireTool): Tier {
  if (spec.trust === 'official') return metaTier(tool) ?? (tool.annotations?.readOnlyHint === true ? 'read' : 'write');
  return takesFreeCode(tool) ? 'dangerous' : 'write';
}

function saidByServer(tool: WireTool): Tier {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  const raised = readOnlyHint === false || destructiveHint === true ? 'write' : 'read';
  return highest([raised, metaTier(tool) ?? 'read']);
}

function metaTier(tool: WireTool): Tier | undefined {
  return Tier.safeParse(tool._meta?.['capstan/tier']).data;
}

/** A text parameter for a command or code makes a tool a free shell, whatever it calls itself. */
function takesFreeCode(tool: WireTool): boolean {
  const properties = tool.inputSchema.properties;
  if (properties === null || typeof properties !== 'object') return false;
  return Object.entries(properties).some(([name, schema]) => freeCode.test(name) && !('enum' in Object(schema)));
}

function highest(tiers: readonly Tier[]): Tier {
  return tiers.reduce((first, second) => (order.indexOf(first) >= order.indexOf(second) ? first : second));
}
