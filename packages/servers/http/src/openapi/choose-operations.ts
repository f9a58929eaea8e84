import type { z } from 'zod';
import type { HttpConfig } from '../rules/http-config.ts';
import { type OpenApiDocument, Operation, operationMethods, PathItem } from './document.ts';
import { follow, type Reading } from './reading.ts';

export type ApiChoice = HttpConfig['documents'][number];

/** An operation of a document with what it shares with its path. */
export interface ChosenOperation {
  readonly method: (typeof operationMethods)[number];
  readonly path: string;
  readonly operation: Operation;
  readonly shared: readonly unknown[];
  readonly servers: OpenApiDocument['servers'];
}

/** The operations that a configuration chooses by name or tag; all when it names none. */
export function chooseOperations(choice: ApiChoice, document: OpenApiDocument, reading: Reading): ChosenOperation[] {
  const all = operationsOf(document, reading);
  const ids = new Set(all.map(({ operation }) => operation.operationId));
  const tags = new Set(all.flatMap(({ operation }) => operation.tags));
  for (const id of choice.operations) if (!ids.has(id)) reading.problem(`there is no operation ${JSON.stringify(id)}`);
  for (const tag of choice.tags) if (!tags.has(tag)) reading.problem(`no operation has the tag ${JSON.stringify(tag)}`);
  if (choice.operations.length === 0 && choice.tags.length === 0) return all;
  return all.filter(
    ({ operation }) =>
      choice.operations.includes(operation.operationId ?? '') ||
      operation.tags.some((tag) => choice.tags.includes(tag)),
  );
}

function operationsOf(document: OpenApiDocument, reading: Reading): ChosenOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const parsed = PathItem.safeParse(follow(item, reading).members);
    if (!parsed.success) return broken(path, parsed.error, reading);
    return operationMethods.flatMap((method) => {
      if (parsed.data[method] === undefined) return [];
      const operation = Operation.safeParse(parsed.data[method]);
      if (!operation.success) return broken(`${method.toUpperCase()} ${path}`, operation.error, reading);
      const servers = operation.data.servers ?? parsed.data.servers ?? document.servers;
      return [{ method, path, operation: operation.data, shared: parsed.data.parameters, servers }];
    });
  });
}

function broken(place: string, { issues: [issue] }: z.ZodError, { problem }: Reading): never[] {
  problem(`${place} cannot be read: ${issue?.path.join('.')}: ${issue?.message}`);
  return [];
}
