export { decodeLines } from './decode-lines.ts';
export { explainFailure } from './explain-failure.ts';
export { LinePager, type OutputPage } from './line-pager.ts';
export { type OpenRequest, openRepository } from './open-repository.ts';
export { excludePath, literalPath } from './pathspec.ts';
export { type ChangedPath, readRawChanges } from './raw-changes.ts';
export type { Repository, RunOptions } from './repository.ts';
export { Revision, resolveCommit } from './revision.ts';
export { showPath } from './show-path.ts';
