import { realpath } from 'node:fs/promises';
import { CapstanError } from '@capstan/contracts';
import { errorCode } from './error-code.ts';

/** The real path of the workspace. Throws `workspace-lost` when it is gone: then no other path means anything. */
export async function realRootOf(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new CapstanError('workspace-lost', 'The folder that this server works in is gone.', {
      hint: 'Start again on a folder that is there.',
      cause: error,
    });
  }
}
