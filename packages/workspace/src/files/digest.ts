import { createHash } from 'node:crypto';

/** The sha256 of content, in hex: how files are compared and blobs are named. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
