/** A text with CRLF seen as LF, and the way back to the original positions. */
export interface FoldedText {
  readonly text: string;
  /** The original position of a folded one. A folded line feed starts at its carriage return. */
  origin(index: number): number;
}

/** Folds CRLF into LF. Lone carriage returns are ordinary characters. */
export function foldLineEnds(original: string): FoldedText {
  if (!original.includes('\r\n')) return { text: original, origin: (index) => index };
  const text = original.replaceAll('\r\n', '\n');
  const returns: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
    returns.push(at - returns.length);
  }
  return { text, origin: (index) => index + countBelow(returns, index) };
}

/** The line end in use at a position: of the next line end, else of the one before; LF where there is none. */
export function lineEndAt(original: string, position: number): '\n' | '\r\n' {
  const next = original.indexOf('\n', position);
  const at = next === -1 ? original.lastIndexOf('\n', position) : next;
  return at > 0 && original[at - 1] === '\r' ? '\r\n' : '\n';
}

/** The 1-based line on which a position of an LF text lies. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
