export * from './baseline.ts';
export * from './edit-lines.ts';
export { type Location, localise } from './localise.ts';
export { type Candidate, patchId, proposePatches } from './propose-patches.ts';
export * from './rank-patches.ts';
export { readWorkspace, type WorkspaceModules } from './read-workspace.ts';
export type { RepairDeps } from './repair-deps.ts';
export { type ReproduceOptions, reproduce } from './reproduce.ts';
export * from './validate-patches.ts';
