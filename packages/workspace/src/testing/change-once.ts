import { applyChanges } from '../apply-changes.ts';
import { undoChanges } from '../changes/undo-changes.ts';
import { SessionWorkspace } from '../session-workspace.ts';

/** A process of its own that applies or undoes: `change-once.ts apply|undo CHECKOUT SESSION-FOLDER`. */
const [, , what, repository = '', folder = ''] = process.argv;
const searchPath = process.env.PATH ?? '/usr/bin:/bin';
const workspace = await SessionWorkspace.open({ repository, folder, searchPath, mustExist: true });
await (what === 'apply' ? applyChanges(workspace, { reviewed: true }) : undoChanges(workspace));
