export { type ApplyOutcome, applyChanges } from './apply-changes.ts';
export * from './files/index.ts';
export { findRepository, type Repository } from './git/find-repository.ts';
export type { IgnoredPath } from './ignored/choose-ignored.ts';
export { type CopyBounds, copyBounded } from './ignored/copy-bounded.ts';
export { placeInside } from './ignored/place-inside.ts';
export * from './paths/index.ts';
export { type Trimmed, type TrimOptions, trimWorkspacePool } from './pool/trim-workspace-pool.ts';
export { type OpenOptions, SessionWorkspace } from './session-workspace.ts';
