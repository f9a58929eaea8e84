import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a file, or a folder with all below it, takes on the disk. A file with several names counts for each in equal parts.
 * What goes away meanwhile counts as nothing.
 */
export function folderSize(path: string): number {
  try {
    const found = lstatSync(path);
    // Blocks of 512 bytes, whatever the file system.
    const own = found.blocks * 512;
    if (!found.isDirectory()) return Math.round(own / found.nlink);
    return readdirSync(path).reduce((sum, name) => sum + folderSize(join(path, name)), own);
  } catch {
    return 0;
  }
}
