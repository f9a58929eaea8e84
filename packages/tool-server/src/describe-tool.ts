import type { JsonSchema, Tier } from '@capstan/contracts';
import { z } from 'zod';
import type { Tool } from './define-tool.ts';

/** A tool as it goes over the wire in `tools/list`. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly _meta: { readonly 'capstan/tier': Tier };
}

/**
 * Publishes a tool: JSON Schemas from its zod schemas, what it may do as annotations, and its tier in `_meta`. Throws when
 * a schema is not an object, because MCP cannot carry it.
 */
export function describeTool(tool: Tool): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: objectSchema(tool.name, tool.input, 'input'),
    outputSchema: objectSchema(tool.name, tool.output, 'output'),
    annotations: {
      readOnlyHint: tool.tier === 'read',
      destructiveHint: tool.destructive ?? tool.tier === 'dangerous',
      idempotentHint: tool.idempotent,
      openWorldHint: tool.openWorld ?? false,
    },
    _meta: { 'capstan/tier': tool.tier },
  };
}

function objectSchema(name: string, schema: z.ZodType, io: 'input' | 'output'): JsonSchema & { type: 'object' } {
  const json: JsonSchema = { ...z.toJSONSchema(schema, { io }) };
  if (json.type !== 'object') throw new TypeError(`The ${io} schema of ${name} must be an object`);
  delete json.$schema;
  return { ...json, type: 'object' };
}
