import type { RunEndBody } from './finish-run.ts';

/** Whether the checks bear out what a run changed, whatever kept it from being applied (pure). Nothing changed needs none. */
export function isVerified({ files, verification }: Pick<RunEndBody, 'files' | 'verification'>): boolean {
  return files.length === 0 || verification?.verdict === 'verified';
}
