import { Revision } from '@capstan/git-repository';
import { z } from 'zod';

/** A parameter that names a commit. */
export function revisionInput(description: string) {
  return z.string().min(1).max(Revision.longest).regex(Revision.pattern, Revision.problem).describe(description);
}
