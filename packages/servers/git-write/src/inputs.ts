import { Revision } from '@capstan/git-repository';
import { z } from 'zod';

/** Parameters that tools of this server share. */
export const repositoryInput = z.string().default('.').describe('Its folder in the workspace, e.g. "services/api"');

export const dryRunInput = z.boolean().default(false).describe('Only say what would happen, e.g. true');

export const pathsInput = z
  .array(z.string().max(4000).describe('Relative to the repository, e.g. "src/sum.mjs"'))
  .min(1)
  .max(200)
  .describe('Where, e.g. ["src"]; ["."] for all');

export const messageInput = z
  .string()
  .min(1)
  .max(20_000)
  .regex(/\S/, 'must say something')
  .refine((text) => !text.includes('\0'), 'holds a NUL byte')
  .describe('Subject, empty line, body, e.g. "Fix the sum\\n\\nIt subtracted."');

export const branchInput = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^-\s:][^\s:]*$/u, 'must be the name of a branch')
  .describe('Name of the branch, e.g. "fix/sum"');

export function revisionInput(description: string) {
  return z.string().min(1).max(Revision.longest).regex(Revision.pattern, Revision.problem).describe(description);
}
