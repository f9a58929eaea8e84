/** Keeps the last bytes of a stream of any length. */
export class TailBytes {
  readonly #limit: number;
  /** Twice the limit, so that bytes are moved once in a while and not at every piece. */
  #buffer: Buffer | undefined;
  #end = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return Math.min(this.#end, this.#limit);
  }

  add(chunk: Uint8Array): void {
    this.#buffer ??= Buffer.alloc(2 * this.#limit);
    const buffer = this.#buffer;
    const piece = chunk.subarray(Math.max(0, chunk.length - this.#limit));
    if (this.#end + piece.length > buffer.length) {
      const kept = this.length;
      buffer.copyWithin(0, this.#end - kept, this.#end);
      this.#end = kept;
    }
    buffer.set(piece, this.#end);
    this.#end += piece.length;
  }

  bytes(): Buffer {
    return (this.#buffer ?? Buffer.alloc(0)).subarray(this.#end - this.length, this.#end);
  }
}
