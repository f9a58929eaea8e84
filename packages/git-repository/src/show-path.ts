import { isUtf8 } from 'node:buffer';

/**
 * A path as git holds it (bytes, here as Latin-1 text) for people and models. Bytes that are no UTF-8 are spelled out as
 * `\344`, so that nothing is lost; such a name can be read but not given as an argument.
 */
export function showPath(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return path.replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`);
}
