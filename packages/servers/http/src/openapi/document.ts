import { parseJson } from '@capstan/contracts';
import { parse } from 'yaml';
import { z } from 'zod';

const Servers = z
  .array(
    z.looseObject({
      url: z.string(),
      variables: z.record(z.string(), z.looseObject({ default: z.string() })).default({}),
    }),
  )
  .optional();

/** The methods whose operations can become tools. */
export const operationMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What is read of an operation; what it refers to is looked up later. */
export const Operation = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z.unknown().optional(),
  servers: Servers,
});
export type Operation = z.infer<typeof Operation>;

export const PathItem = z.looseObject({ parameters: z.array(z.unknown()).default([]), servers: Servers });

const OpenApiDocument = z.looseObject({
  openapi: z.string().regex(/^3\.[01]\./u, 'has to be 3.0 or 3.1'),
  servers: Servers,
  paths: z.record(z.string().startsWith('/'), z.unknown()),
});
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;

export type ReadDocument = { readonly document: OpenApiDocument } | { readonly problem: string };

/** The most that is read of one document. Bytes. */
export const mostDocumentBytes = 8 * 1024 * 1024;

/** How often YAML may refer to what it has said before: more would blow up a small file. */
const mostAliases = 100;

/** Reads the text of an OpenAPI document, JSON or YAML; says what is wrong with it instead. */
export function readDocument(text: string): ReadDocument {
  const value = parseJson(text) ?? parseYamlValue(text);
  if (value === undefined) return { problem: 'is neither JSON nor YAML' };
  const result = OpenApiDocument.safeParse(value);
  if (result.success) return { document: result.data };
  const [issue] = result.error.issues;
  return { problem: `is no OpenAPI document that can be used: ${issue?.path.join('.')}: ${issue?.message}` };
}

function parseYamlValue(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: mostAliases, logLevel: 'error' });
  } catch {
    return undefined;
  }
}
