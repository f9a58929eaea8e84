import type { WireTool } from '@capstan/contracts';
import { type Finding, scanText } from './scan-text.ts';

/** The longest description that a third-party tool may have (requirement G5). Characters. */
export const longestDescription = 500;
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

function stringsOf(value: unknown, at = '', depth = 0): { at: string; text: string }[] {
  if (typeof value === 'string') return [{ at, text: value }];
  if (value === null || typeof value !== 'object' || depth > maximumDepth) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = at === '' ? key : `${at}.${key}`;
    const named = Array.isArray(value) ? [] : [{ at: place, text: key }];
    return [...named, ...stringsOf(member, place, depth + 1)];
  });
}
