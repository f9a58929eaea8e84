import { removeFileInside, writeFileAtomically } from '@capstan/workspace';
import { readState } from './change.ts';
import { absent } from './change-record.ts';
import type { WorkspaceFiles } from './commit-changes.ts';

/** The real workspace below `root`. */
export function workspaceFiles(root: string): WorkspaceFiles {
  return {
    digest: async (path) => {
      const state = await readState(root, path);
      if (state === undefined) return absent;
      return 'failure' in state ? state : state.sha256;
    },
    write: async (path, bytes, expected, token, mode) => {
      const options = mode === undefined ? { expected, token } : { expected, token, mode };
      const written = await writeFileAtomically(root, path, bytes, options);
      return 'failure' in written ? written : undefined;
    },
    remove: async (path, expected) => {
      const removed = await removeFileInside(root, path, { expected });
      return 'failure' in removed ? removed : undefined;
    },
  };
}
