import { StringDecoder } from 'node:string_decoder';
import { plainText } from '@capstan/checks';

/** A line without an end is taken in pieces of this many characters. */
const longestLine = 32 * 1024;
/** So many states of one line may be shown; of more, a progress bar, the last one is. */
const shownStates = 2;

/**
 * One output stream as text, line by line: control sequences and broken UTF-8 do no harm, and of a line that was written
 * over again and again (a progress bar) its last state is left, with a word about the others.
 */
export class PlainStream {
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  /** States of the unfinished line that were dropped because it grew too long. */
  #dropped = 0;

  write(chunk: Uint8Array): string {
    this.#line += this.#decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const end = this.#line.lastIndexOf('\n') + 1;
    const whole = this.#line.slice(0, end);
    this.#line = this.#line.slice(end);
    const lines = whole === '' ? '' : this.#foldAll(whole);
    return this.#line.length > longestLine ? lines + this.#shorten() : lines;
  }

  /** What stands in the unfinished line, unless that may be a part of a control sequence or of a progress bar. */
  settle(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
    return /[\r\u001b\u0080-\u009f]/.test(this.#line) ? '' : this.end();
  }

  /** What is left at the end of the stream. */
  end(): string {
    const line = this.#line;
    this.#line = '';
    return line === '' ? '' : this.#foldAll(line);
  }

  #foldAll(text: string): string {
    // By far the most output is made of plain lines: all of them at once cost a twentieth.
    const unix = text.replace(/\r+\n/g, '\n');
    if (this.#dropped === 0 && !unix.includes('\r')) return plainText(unix);
    return unix
      .split('\n')
      .map((line) => this.#fold(line))
      .join('\n');
  }

  #fold(line: string): string {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped === 0 && !line.includes('\r')) return plainText(line);
    const states = line.split(/\r+/).filter((state) => state !== '');
    if (dropped + states.length <= shownStates) return plainText(states.join('\n'));
    return `[${dropped + states.length - 1} earlier states of this line]\n${plainText(states.at(-1) ?? '')}`;
  }

  /** Of a progress bar the last state is kept; other text goes out without waiting for its end. */
  #shorten(): string {
    const states = this.#line.split(/\r+/);
    const last = states.at(-1) ?? '';
    if (states.length > shownStates && last.length <= longestLine) {
      this.#dropped += states.filter((state) => state !== '').length - (last === '' ? 0 : 1);
      this.#line = last;
      return '';
    }
    const text = this.#line;
    this.#line = '';
    return this.#fold(text);
  }
}
