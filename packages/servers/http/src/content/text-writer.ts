/** Puts words and lines together: white space is folded, and no line stays empty twice. */
export class TextWriter {
  readonly #parts: string[] = [];
  /** What has to come before the next word. */
  #gap: '' | ' ' | '\n' = '';
  #start = '';
  #kept = 0;

  /** Text as it stands in a page. */
  words(text: string): void {
    if (this.#kept > 0) {
      if (text !== '') this.#put(text);
      return;
    }
    const folded = text.replace(/[\t\n\f\r ]+/gu, ' ');
    if (folded.startsWith(' ')) this.#space();
    const inner = folded.trim();
    if (inner !== '') this.#put(inner);
    if (inner !== '' && folded.endsWith(' ')) this.#space();
  }

  /** A sign of ours, which is no word of the page; one that opens goes with the next word, others with the last. */
  mark(text: string): void {
    if (text.startsWith('[')) {
      this.#put(text);
      return;
    }
    if (this.#gap === ' ') this.#gap = '';
    this.#parts.push(text);
  }

  /** Ends the line; the next one begins with `start`. */
  line(start = ''): void {
    if (this.#parts.length > 0) this.#gap = '\n';
    this.#start = start;
  }

  /** From here on white space is kept; gives what ends that. */
  keepSpaces(): () => void {
    this.#kept += 1;
    return () => {
      this.#kept -= 1;
    };
  }

  text(): string {
    const lines = this.#parts.join('').split('\n');
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/gu, '\n\n')
      .trim();
  }

  #space(): void {
    if (this.#gap === '' && this.#parts.length > 0) this.#gap = ' ';
  }

  #put(text: string): void {
    this.#parts.push(this.#gap, this.#start, text);
    this.#gap = '';
    this.#start = '';
  }
}
