/** A text on one line, cut at `limit` characters. Never half of a character. */
export function shortText(text: string, limit: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > limit
    ? `${line
        .slice(0, limit - 1)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`
    : line;
}
