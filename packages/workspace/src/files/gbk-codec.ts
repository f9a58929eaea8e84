/** Bytes of a GBK text mapped to its UTF-16 units, so that a part can be replaced and the rest kept byte by byte. */
export interface GbkText {
  readonly text: string;
  /** `offsets[i]` is the byte at which unit i starts; the last entry is the length. */
  readonly offsets: Uint32Array;
}

/** Decodes GB18030 (a superset of GBK) strictly: undefined when a sequence is not valid. */
export function decodeGbk(bytes: Uint8Array): GbkText | undefined {
  const text = strictly(bytes);
  if (text === undefined) return undefined;
  const offsets = new Uint32Array(text.length + 1);
  let unit = 0;
  for (let byte = 0; byte < bytes.length; ) {
    const units = (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
    offsets.fill(byte, unit, unit + units);
    unit += units;
    byte += widthAt(bytes, byte);
  }
  offsets[text.length] = bytes.length;
  return unit === text.length ? { text, offsets } : undefined;
}

/**
 * True if bytes that are not UTF-8 look like Chinese: most of the two-byte characters lie in the area of GB 2312, where
 * both bytes are high. Accents of Latin-1 nearly always stand alone between ASCII letters.
 */
export function looksLikeGbk(bytes: Uint8Array): boolean {
  let pairs = 0;
  let typical = 0;
  for (let byte = 0; byte < bytes.length; byte += widthAt(bytes, byte)) {
    if (widthAt(bytes, byte) !== 2) continue;
    pairs += 1;
    if ((bytes[byte] ?? 0) >= 0xa1 && (bytes[byte + 1] ?? 0) >= 0xa1) typical += 1;
  }
  return pairs > 0 && typical >= pairs * 0.75;
}

/** Encodes into GBK; gives the first character that it cannot represent instead. */
export function encodeGbk(text: string): Buffer | { readonly unrepresentable: string } {
  const table = /^[\0-\x7f]*$/.test(text) ? new Map<string, number>() : pairTable();
  const bytes: number[] = [];
  for (const character of text) {
    const pair = table.get(character);
    if (character.charCodeAt(0) < 0x80) bytes.push(character.charCodeAt(0));
    else if (pair !== undefined) bytes.push(pair >> 8, pair & 0xff);
    else return { unrepresentable: character };
  }
  return Buffer.from(bytes);
}

function strictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('gb18030', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function widthAt(bytes: Uint8Array, index: number): 1 | 2 | 4 {
  const lead = bytes[index] ?? 0;
  if (lead <= 0x80 || lead === 0xff) return 1;
  const second = bytes[index + 1] ?? 0;
  return second >= 0x30 && second <= 0x39 ? 4 : 2;
}

/** The platform decodes GBK but does not encode it: all two-byte sequences are decoded at once to get the way back. */
function pairTable(): Map<string, number> {
  const pairs: number[] = [];
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) pairs.push((lead << 8) | trail);
  }
  const lines = Uint8Array.from(pairs.flatMap((pair) => [pair >> 8, pair & 0xff, 0x0a]));
  const table = new Map<string, number>();
  for (const [index, character] of new TextDecoder('gbk').decode(lines).split('\n').entries()) {
    const pair = pairs[index];
    if (pair === undefined || character.length !== 1 || character === '\ufffd' || table.has(character)) continue;
    table.set(character, pair);
  }
  return table;
}
