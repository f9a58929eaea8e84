import { type Refusal, refuse } from '@capstan/workspace';
import { z } from 'zod';
import type { FileState } from './change.ts';

export const IfHash = z
  .string()
  .regex(/^[0-9a-f]{8,64}$/i, 'must be 8 to 64 hex digits')
  .optional()
  .describe('Only if its sha256 from read_files still begins so, e.g. "9f86d081884c"');

/** Refuses when a file is not the one that the caller has read. */
export function checkHash(path: string, state: FileState | undefined, ifHash: string | undefined): Refusal | undefined {
  if (ifHash === undefined || state?.sha256.startsWith(ifHash.toLowerCase())) return undefined;
  const found = state === undefined ? 'is not there' : `has sha256 ${state.sha256.slice(0, 12)}`;
  return refuse(
    'stale-file',
    `${JSON.stringify(path)} ${found}, not ${ifHash}. Nothing was changed.`,
    'Read the file again and make the change on what is there now.',
  );
}
