import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configReference, referencePath } from './config-reference.ts';

/** One problem when the reference page of the configuration is not what the schema says now. */
export function checkConfigReference(root: string): string[] {
  const text = readPage(join(root, referencePath));
  if (text === configReference()) return [];
  const state = text === undefined ? 'is missing' : 'is stale';
  return [`${referencePath} ${state}: node scripts/write-config-reference.ts`];
}

function readPage(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
