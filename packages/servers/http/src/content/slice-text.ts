export interface Slice {
  readonly text: string;
  /** Where to go on; undefined at the end. */
  readonly next: number | undefined;
}

/** The part of a text from a character (UTF-16 unit) on that fits into so many bytes, without half characters. */
export function sliceText(text: string, offset: number, mostBytes: number): Slice {
  const start = isLowSurrogate(text, offset) ? offset + 1 : offset;
  const bytes = Buffer.from(text.slice(start, start + mostBytes)).subarray(0, mostBytes);
  // As a stream: a character that was cut at the end is waited for, and not replaced.
  const fitting = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
  const end = start + fitting.length;
  return { text: fitting, next: end < text.length ? end : undefined };
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
