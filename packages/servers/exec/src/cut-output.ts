/** The part of an output that is shown, and how many bytes of it are not. */
export interface ShownOutput {
  readonly text: string;
  readonly dropped: number;
}

const NOTE_BYTES = 48;

/**
 * Head and tail of an output of `size` bytes in at most `limit` bytes: a third of the room for the head, the rest for the
 * tail, since what went wrong usually stands at the end.
 */
export function cutOutput(head: string, tail: string, size: number, limit: number): ShownOutput {
  const room = Math.max(0, limit - NOTE_BYTES);
  const first = firstBytes(head, Math.floor(room / 3));
  const last = lastBytes(tail, room - Math.floor(room / 3));
  const dropped = size - Buffer.byteLength(first) - Buffer.byteLength(last);
  return { text: firstBytes(`${first}\n[... ${dropped} bytes left out ...]\n${last}`, limit), dropped };
}

/** The longest beginning of a text in at most `bytes` bytes of UTF-8. */
export function firstBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  if (buffer.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && isContinuation(buffer[end])) end -= 1;
  return buffer.toString('utf8', 0, end);
}

/** The longest end of a text in at most `bytes` bytes of UTF-8. */
export function lastBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  let start = Math.max(0, buffer.length - Math.max(0, bytes));
  while (start < buffer.length && isContinuation(buffer[start])) start += 1;
  return buffer.toString('utf8', start);
}

/** The whole characters of a piece of UTF-8, and where they begin and end in it. All of it where there are none. */
export function wholeCharacters(bytes: Buffer): { readonly text: string; readonly from: number; readonly to: number } {
  let from = 0;
  while (from < Math.min(3, bytes.length) && isContinuation(bytes[from])) from += 1;
  const to = bytes.length - cutCharacter(bytes);
  if (from >= to) return { text: bytes.toString('utf8'), from: 0, to: bytes.length };
  return { text: bytes.toString('utf8', from, to), from, to };
}

/** How many bytes at the end belong to a character that goes on behind it. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
