/** The first three quarters and the last quarter of what fits in `limit` bytes, with a note between; never half a character. */
export function headAndTail(text: string, limit: number, where: string): string {
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= limit) return text;
  const note = `\n[... ${bytes.byteLength - limit} bytes or more left out; ${where} ...]\n`;
  const room = Math.max(0, limit - Buffer.byteLength(note));
  const tail = Math.floor(room / 4);
  const head = whole(bytes.subarray(0, room - tail));
  return `${head}${note}${whole(bytes.subarray(bytes.byteLength - tail))}`;
}

/** Drops the parts of a character at either end that the cut left behind. */
function whole(bytes: Uint8Array): string {
  let start = 0;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start), { stream: true });
}
