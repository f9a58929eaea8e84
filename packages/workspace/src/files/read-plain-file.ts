import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES']);

/**
 * Reads a file that code under test may have made: never through a link, never from a FIFO or device, at most `limit`
 * bytes. `undefined` where there is no such file; a longer file is cut.
 */
export async function readPlainFile(path: string, limit: number): Promise<string | undefined> {
  const handle = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (ABSENT.has(error.code ?? '')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const status = await handle.stat();
    if (!status.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(status.size, limit));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
