import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes a file of ours so that a reader sees the old or the new content, and not at all when it is there already. */
export async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  const present = await readFile(path).catch(() => undefined);
  if (present?.equals(Buffer.from(content))) return;
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, content);
  await rename(fresh, path);
}
