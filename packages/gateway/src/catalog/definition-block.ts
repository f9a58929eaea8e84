import { longestDescription, scanDefinition } from '@capstan/content-scan';
import type { WireTool } from '@capstan/contracts';
import type { ServerSpec } from '../server-spec.ts';
import type { Block } from './catalog-tool.ts';

/** Why a tool of this server is refused for its definition: only third-party servers are refused, others are marked. */
export function definitionBlock(spec: ServerSpec, tool: WireTool): Block | undefined {
  if (spec.trust !== 'third-party') return undefined;
  const length = tool.description?.length ?? 0;
  if (length > longestDescription)
    return {
      rule: 'description-too-long',
      message: `The description of ${tool.name} has ${length} characters; third-party tools may have ${longestDescription}.`,
    };
  const first = scanDefinition(tool)[0];
  if (first === undefined) return undefined;
  return {
    rule: 'description-suspicious',
    message: `The definition of ${tool.name} holds ${first.finding} at ${first.at}.`,
  };
}
