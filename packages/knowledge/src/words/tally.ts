/** Counts numbers of one text after another without being cleared in between. */
export class Tally {
  #texts = new Int32Array(1024);
  #counts = new Int32Array(1024);
  #text = 0;
  /** The numbers of this text in the order of first use. */
  seen: number[] = [];

  begin(): void {
    this.#text += 1;
    this.seen = [];
  }

  add(number: number, count: number): void {
    if (number >= this.#texts.length) this.#grow(number);
    if (this.#texts[number] === this.#text) this.#counts[number] = (this.#counts[number] ?? 0) + count;
    else {
      this.#texts[number] = this.#text;
      this.#counts[number] = count;
      this.seen.push(number);
    }
  }

  /** How often a number that was seen in this text was added. */
  countOf(number: number): number {
    return this.#counts[number] ?? 0;
  }

  #grow(number: number): void {
    const size = Math.max(number + 1, this.#texts.length * 2);
    const [texts, counts] = [this.#texts, this.#counts];
    this.#texts = new Int32Array(size);
    this.#counts = new Int32Array(size);
    this.#texts.set(texts);
    this.#counts.set(counts);
  }
}
