import type { WireTool } from '@capstan/contracts';
import type { ServerSpec } from '../server-spec.ts';

/**
 * True for tools that send things out or fetch from outside: those that the composition root names, and those of official
 * servers that say so by `openWorldHint`. The hint can only make a tool one, never keep it from being one.
 */
export function isEgress(spec: ServerSpec, tool: Pick<WireTool, 'annotations'> & { readonly name: string }): boolean {
  const saysSo = spec.trust === 'official' && tool.annotations?.openWorldHint === true;
  return saysSo || spec.egress?.includes(tool.name) === true;
}
