/** Places of one slot: two hashes and a number, side by side, so that a look-up touches one line of memory. */
const stride = 4;

/** Numbers for what is known by two hashes of 32 bits, from 0 in the order of arrival. Open addressing. */
export class WordTable {
  #size: number;
  #slots: Int32Array;
  #count = 0;

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#size = slots;
    this.#slots = new Int32Array(slots * stride);
  }

  get count(): number {
    return this.#count;
  }

  /** The number of a word; a new one when it equals `count` before the call. `second` is never 0. */
  numberOf(first: number, second: number): number {
    let at = this.#find(first, second);
    if (this.#slots[at + 1] !== 0) return this.#slots[at + 2] ?? 0;
    if (this.#count * 2 >= this.#size) {
      this.#grow();
      at = this.#find(first, second);
    }
    this.#put(at, first, second, this.#count);
    this.#count += 1;
    return this.#count - 1;
  }

  /** Where a word stands, or the free slot where it belongs. */
  #find(first: number, second: number): number {
    const slots = this.#slots;
    const mask = this.#size - 1;
    let slot = (first ^ (first >>> 15) ^ (second >>> 7)) & mask;
    for (;;) {
      const at = slot * stride;
      if (slots[at + 1] === 0 || (slots[at + 1] === second && slots[at] === first)) return at;
      slot = (slot + 1) & mask;
    }
  }

  #put(at: number, first: number, second: number, number: number): void {
    this.#slots[at] = first;
    this.#slots[at + 1] = second;
    this.#slots[at + 2] = number;
  }

  #grow(): void {
    const old = this.#slots;
    this.#size *= 2;
    this.#slots = new Int32Array(this.#size * stride);
    for (let at = 0; at < old.length; at += stride) {
      const [first = 0, second = 0, number = 0] = old.subarray(at, at + 3);
      if (second !== 0) this.#put(this.#find(first, second), first, second, number);
    }
  }
}
