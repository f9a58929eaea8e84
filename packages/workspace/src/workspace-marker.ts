import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CapstanError, parseJson } from '@capstan/contracts';
import { z } from 'zod';
import { writeWhole } from './git/write-whole.ts';

/** What a session's folder says of itself once its workspace is whole. */
export const WorkspaceMarker = z.strictObject({
  /** Top folder of the checkout. */
  repository: z.string(),
  baseTree: z.string(),
  files: z.number().int(),
  notices: z.array(z.string()).default([]),
  parkedTree: z.string().optional().describe('The copy was given back; this is what was in it'),
});
export type WorkspaceMarker = z.infer<typeof WorkspaceMarker>;

/** Reads the marker of a session's folder. Throws `workspace-lost` when it is damaged, or missing and `mustExist`. */
export async function readMarker(folder: string, mustExist: boolean): Promise<WorkspaceMarker | undefined> {
  const content = await readFile(join(folder, name), 'utf8').catch(() => undefined);
  if (content === undefined && !mustExist) return undefined;
  const parsed = WorkspaceMarker.safeParse(parseJson(content));
  if (parsed.success && (parsed.data.parkedTree !== undefined || existsSync(join(folder, 'tree')))) return parsed.data;
  throw new CapstanError('workspace-lost', `The workspace of this session is damaged or gone: ${folder}`, {
    hint: 'Its log and audit trail are still there. Start a new run.',
  });
}

/** Writes the marker, whole or not at all. */
export function writeMarker(folder: string, marker: WorkspaceMarker): Promise<void> {
  return writeWhole(join(folder, name), JSON.stringify(marker));
}

const name = 'workspace.json';
