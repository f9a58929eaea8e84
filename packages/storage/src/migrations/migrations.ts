import type { Migration } from './migration.ts';
import { toVersion2 } from './to-version-2.ts';

/** Every step from version 1 on, in order and without gaps. Released ones are never changed. */
export const migrations: readonly Migration[] = [toVersion2];
