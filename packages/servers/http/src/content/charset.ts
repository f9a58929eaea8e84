import { decodeText } from '@capstan/workspace';

export interface Decoded {
  readonly text: string;
  readonly charset: string;
  /** How many places were not valid in that charset and are shown as U+FFFD. */
  readonly replaced: number;
}

/** How far into a page its own statement of a charset is looked for, by the HTML standard. Bytes. */
const metaBytes = 1024;

/** Decodes by the charset that was named; undefined when that charset is not known. */
export function decodeNamed(bytes: Buffer, charset: string): Decoded | undefined {
  const decoder = decoderOf(charset);
  if (decoder === undefined) return undefined;
  const text = decoder.decode(bytes);
  return { text, charset: decoder.encoding, replaced: text.split('\ufffd').length - 1 };
}

/** Decodes by what the bytes look like: marks, UTF-8, GBK, else Latin-1. Undefined for what is binary. */
export function decodeGuessed(bytes: Buffer): Decoded | undefined {
  const file = decodeText(bytes);
  return file === undefined ? undefined : { text: file.text, charset: file.encoding, replaced: 0 };
}

/** The charset that a page names in itself. */
export function charsetOfPage(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, metaBytes);
  return /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:-]{1,40})/iu.exec(start)?.[1];
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}
