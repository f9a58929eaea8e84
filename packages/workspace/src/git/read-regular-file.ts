import { readFile, stat } from 'node:fs/promises';

/** Larger than the index of a million files. Bytes. */
const largest = 512 * 1024 * 1024;

/** The bytes of a file of somebody else's folder; undefined when there is none, or when reading it might not end. */
export async function readRegularFile(path: string): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size <= largest ? readFile(path).catch(() => undefined) : undefined;
}
