/** Keeps the head of a stream up to a limit and counts what it drops, so that a flood costs no memory. */
export class BoundedOutput {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    const room = this.#limit - this.#kept;
    const head = chunk.subarray(0, Math.max(0, room));
    if (head.length > 0) this.#chunks.push(head);
    this.#kept += head.length;
    this.#dropped += chunk.length - head.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  get dropped(): number {
    return this.#dropped;
  }
}
