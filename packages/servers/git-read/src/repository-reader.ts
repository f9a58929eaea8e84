import { type OpenRequest, openRepository, type Repository } from '@capstan/git-repository';
import type { ToolContext, ToolReply } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { z } from 'zod';

/** What this server knows of where it works. */
export type ReaderPlace = Pick<OpenRequest, 'root' | 'gitFolder' | 'trusted' | 'stateFolder' | 'searchPath'>;

/** Opens the repository that a call names, for reading. */
export type OpenReader = (
  path: string,
  context: Pick<ToolContext, 'signal'>,
  work: (repository: Repository) => Promise<ToolReply>,
) => Promise<ToolReply>;

export function readerOf(place: ReaderPlace): OpenReader {
  return (path, { signal }, work) => openRepository<ToolReply | Refusal>({ ...place, path, signal, use: 'read' }, work);
}

export const repositoryInput = z
  .string()
  .max(1000)
  .default('.')
  .describe('Folder of the repository in the workspace, e.g. "services/api"; "." is the workspace itself');

export const pathsInput = z
  .array(z.string().max(4000).describe('Relative to the repository, e.g. "src/sum.mjs"'))
  .max(50)
  .default([])
  .describe('Only these files and folders, e.g. ["src"]; empty for all');

export const fromLineInput = z
  .number()
  .int()
  .min(1)
  .default(1)
  .describe('First line of the output to show, e.g. 401 to go on where a reply was cut');
