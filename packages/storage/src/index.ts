export type { AuditFilter, AuditVerdict } from './audit-log.ts';
export { openStorage, type Storage, type StorageOptions } from './open-storage.ts';
export { processHolder } from './process-holder.ts';
export type { RunChange, SessionDraft } from './sessions.ts';
