/** A part of an output, by whole lines. */
export interface OutputPage {
  readonly lines: readonly Buffer[];
  readonly fromLine: number;
  /** The line with which to go on; undefined when all was shown. */
  readonly nextLine: number | undefined;
  /** How many lines were too long and are shown by their start. */
  readonly longLines: number;
}

/** Longer lines are shown by their start. Bytes. */
const longestLine = 4 * 1024;
const lineFeed = 0x0a;

/** Takes a stream of bytes and keeps the lines from one number on, until so many bytes are full. */
export class LinePager {
  readonly #fromLine: number;
  readonly #budget: number;
  readonly #lines: Buffer[] = [];
  #line = 1;
  #bytes = 0;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #wasLong = false;
  #longLines = 0;
  #full = false;

  constructor(fromLine: number, budget: number) {
    this.#fromLine = fromLine;
    this.#budget = budget;
  }

  /** False when the page is full: nothing more is needed. */
  take(chunk: Buffer): boolean {
    let start = 0;
    while (start < chunk.length && !this.#full) {
      const end = chunk.indexOf(lineFeed, start);
      this.#add(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return true;
      this.#endLine();
      start = end + 1;
    }
    return !this.#full;
  }

  page(): OutputPage {
    if (this.#pieceBytes > 0 && !this.#full) this.#endLine();
    const more = this.#full && this.#lines.length > 0;
    return {
      lines: this.#lines,
      fromLine: this.#fromLine,
      nextLine: more ? this.#fromLine + this.#lines.length : undefined,
      longLines: this.#longLines,
    };
  }

  #add(piece: Buffer): void {
    if (this.#line < this.#fromLine) return;
    const room = longestLine - this.#pieceBytes;
    if (piece.length > room) this.#wasLong = true;
    const kept = piece.subarray(0, Math.max(0, room));
    this.#pieces.push(kept);
    this.#pieceBytes += kept.length;
  }

  #endLine(): void {
    if (this.#line >= this.#fromLine) {
      if (this.#bytes + this.#pieceBytes + 1 > this.#budget && this.#lines.length > 0) {
        this.#full = true;
        return;
      }
      this.#lines.push(Buffer.concat(this.#pieces));
      this.#bytes += this.#pieceBytes + 1;
      if (this.#wasLong) this.#longLines += 1;
    }
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#wasLong = false;
    this.#line += 1;
  }
}
