export { type ApplyOutcome, applyChanges } from './apply-changes.ts';
export { findRepository, type Repository } from './git/find-repository.ts';
export * from './paths/classify-path.ts';
export { type OpenOptions, SessionWorkspace } from './session-workspace.ts';
