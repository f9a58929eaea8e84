import { type Finding, scanText } from '../scan/scan-text.ts';
import type { ServerSpec } from '../server-spec.ts';
import type { Block, WireTool } from './catalog-tool.ts';

/** The longest description that a third-party tool may have (requirement G5). Characters. */
const longestDescription = 500;
const maximumDepth = 30;

export interface DefinitionFinding {
  /** Where in the definition, e.g. "inputSchema.properties.path.description". */
  readonly at: string;
  readonly finding: Finding;
}

/** Scans every string of a definition that a model sees: descriptions, titles, defaults, enum values, names. */
export function scanDefinition(tool: WireTool): DefinitionFinding[] {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return stringsOf({ name, title, description, inputSchema, outputSchema, annotations }).flatMap(({ at, text }) =>
    scanText(text).map((finding) => ({ at, finding })),
  );
}

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

function stringsOf(value: unknown, at = '', depth = 0): { at: string; text: string }[] {
  if (typeof value === 'string') return [{ at, text: value }];
  if (value === null || typeof value !== 'object' || depth > maximumDepth) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = at === '' ? key : `${at}.${key}`;
    const named = Array.isArray(value) ? [] : [{ at: place, text: key }];
    return [...named, ...stringsOf(member, place, depth + 1)];
  });
}
