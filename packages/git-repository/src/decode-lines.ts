import { isUtf8 } from 'node:buffer';
import { decodeText } from '@capstan/workspace';

/** Lines of bytes as text. */
export interface DecodedLines {
  readonly lines: readonly string[];
  /** Encodings that were met beside UTF-8, such as "gbk". */
  readonly encodings: readonly string[];
}

/**
 * Decodes lines of git's output, in which names (UTF-8) and contents of any encoding stand side by side. Lines that are no
 * UTF-8 are judged together: one line alone is too short to tell GBK from Latin-1. No U+FFFD ever appears.
 */
export function decodeLines(lines: readonly Buffer[]): DecodedLines {
  const foreign = lines.filter((line) => !isUtf8(line));
  if (foreign.length === 0) return { lines: lines.map((line) => line.toString('utf8')), encodings: [] };
  const joined = Buffer.concat(foreign.flatMap((line) => [line, Buffer.of(0x0a)]));
  // With a NUL byte there is no text in it: each byte is shown as the character of its number.
  const decoded = decodeText(joined);
  const texts = (decoded?.text ?? joined.toString('latin1')).split('\n');
  let next = 0;
  const shown = lines.map((line) => (isUtf8(line) ? line.toString('utf8') : (texts[next++] ?? '')));
  return { lines: shown, encodings: [decoded?.encoding ?? 'binary'] };
}
