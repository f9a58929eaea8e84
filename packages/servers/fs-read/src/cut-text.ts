/** What of some lines fits. */
export interface FittingText {
  readonly text: string;
  readonly lines: number;
  readonly cut: boolean;
}

/** Joins as many whole lines as fit into `budget` bytes; a first line that is too long alone is cut inside. */
export function cutText(lines: readonly string[], budget: number): FittingText {
  let bytes = 0;
  let count = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line);
    if (bytes > budget) break;
    count += 1;
  }
  const first = lines[0];
  if (count === 0 && first !== undefined) {
    return { text: `${cutLine(first, budget)} ...(long line cut)\n`, lines: 1, cut: true };
  }
  return { text: lines.slice(0, count).join(''), lines: count, cut: count < lines.length };
}

/** The start of a line, at most so many bytes of UTF-8, without half characters. */
export function cutLine(line: string, budget: number): string {
  if (Buffer.byteLength(line) <= budget) return line;
  return new TextDecoder()
    .decode(Buffer.from(line.slice(0, budget)).subarray(0, Math.max(0, budget)))
    .replace(/\ufffd+$/, '');
}
