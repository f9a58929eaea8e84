import { isUtf8 } from 'node:buffer';
import { decodeGbk, encodeGbk, looksLikeGbk } from './gbk-codec.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gbk' | 'latin1';

/** A file as text, with the way back to its bytes. Nothing is lost: each part of the text has its bytes. */
export interface TextFile {
  readonly bytes: Buffer;
  readonly encoding: Encoding;
  /** True if a byte order mark stands before the text; the text is without it. */
  readonly bom: boolean;
  readonly text: string;
  /** The byte at which UTF-16 unit `index` of the text starts. */
  byteAt(index: number): number;
}

/**
 * Reads bytes as text: byte order marks first, then strict UTF-8, then GBK where it looks like Chinese, else Latin-1,
 * which fits all bytes. Undefined for binary content: a NUL byte without a UTF-16 mark.
 */
export function decodeText(content: Uint8Array): TextFile | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return decodeWide(bytes, wide);
  if (isBinary(bytes)) return undefined;
  if (isUtf8(bytes)) return decodeUtf8(bytes);
  const gbk = looksLikeGbk(bytes) ? decodeGbk(bytes) : undefined;
  if (gbk !== undefined) {
    const byteAt = (index: number) => gbk.offsets[index] ?? bytes.length;
    return { bytes, encoding: 'gbk', bom: false, text: gbk.text, byteAt };
  }
  return { bytes, encoding: 'latin1', bom: false, text: bytes.toString('latin1'), byteAt: (index) => index };
}

/** True for content that `decodeText` takes for no text: a NUL byte without a UTF-16 mark. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) && wideEncoding(bytes) === undefined;
}

/** Encodes text without a byte order mark; gives the first character that the encoding lacks instead. */
export function encodeText(text: string, encoding: Encoding): Buffer | { readonly unrepresentable: string } {
  if (encoding === 'gbk') return encodeGbk(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const limit = encoding === 'latin1' ? /[^\0-\xff]/u : /\p{Surrogate}/u;
  const misfit = limit.exec(text)?.[0];
  if (misfit !== undefined) return { unrepresentable: misfit };
  return Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8');
}

/** The byte order mark of an encoding that has one. */
export function byteOrderMark(encoding: Encoding): Buffer {
  if (encoding === 'utf-16le') return Buffer.of(0xff, 0xfe);
  if (encoding === 'utf-16be') return Buffer.of(0xfe, 0xff);
  return encoding === 'utf-8' ? Buffer.of(0xef, 0xbb, 0xbf) : Buffer.alloc(0);
}

/** The encoding that a byte order mark of two bytes says, if there is one. */
export function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decodeWide(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): TextFile {
  const units = bytes.subarray(2, bytes.length - (bytes.length % 2));
  const little = encoding === 'utf-16le' ? units : Buffer.from(units).swap16();
  return { bytes, encoding, bom: true, text: little.toString('utf16le'), byteAt: (index) => 2 + 2 * index };
}

function decodeUtf8(bytes: Buffer): TextFile {
  const bom = bytes.subarray(0, 3).equals(byteOrderMark('utf-8'));
  const start = bom ? 3 : 0;
  const text = bytes.toString('utf8', start);
  const byteAt = (index: number) => start + Buffer.byteLength(text.slice(0, index));
  return { bytes, encoding: 'utf-8', bom, text, byteAt };
}
