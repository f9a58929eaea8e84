export type { SessionArchive } from './archive.ts';
export type { AuditFilter, AuditVerdict } from './audit-log.ts';
export { freeSpace, sizeText } from './free-space.ts';
export type { GarbageOptions, GarbageReport } from './garbage/collect-garbage.ts';
export { folderSize } from './garbage/folder-size.ts';
export type { Retention } from './garbage/retention.ts';
export { openStorage, type Storage, type StorageOptions } from './open-storage.ts';
export { processHolder } from './process-holder.ts';
export type { RunChange, SessionDraft } from './sessions.ts';
