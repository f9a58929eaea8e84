import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { plainText } from '@capstan/checks';
import { systemFault } from '@capstan/contracts';
import { cutOutput, type ShownOutput, wholeCharacters } from '../cut-output.ts';
import { PlainStream } from './plain-stream.ts';
import { TailBytes } from './tail-bytes.ts';

/** The most that is kept of an output, from its beginning. Bytes. */
export const keptBytes = 8 * 1024 * 1024;
/** And from its end, where it is longer. Bytes. */
const tailBytes = 64 * 1024;

/** A piece of an output. Offsets are bytes of its text. */
export interface OutputPiece {
  readonly text: string;
  readonly offset: number;
  readonly nextOffset: number;
  /** Bytes between the offset that was asked for and this piece that are not kept. */
  readonly skipped: number;
}

/**
 * The output of one run in a file, both streams in the order they came, as plain text. It takes any amount: `keptBytes`
 * from the beginning and `tailBytes` from the end are kept, the rest is counted. A full disk costs the middle, not the run.
 */
export class JobOutput {
  readonly #path: string;
  readonly #file: number;
  readonly #limit: number;
  readonly #streams = { stdout: new PlainStream(), stderr: new PlainStream() };
  readonly #tail: TailBytes;
  #written = 0;
  #beyond = 0;
  #isFull = false;

  constructor(
    path: string,
    limits: { readonly kept: number; readonly tail: number } = { kept: keptBytes, tail: tailBytes },
  ) {
    this.#path = path;
    this.#limit = limits.kept;
    this.#tail = new TailBytes(limits.tail);
    this.#file = openSync(path, 'wx+', 0o600);
  }

  /** Bytes of text so far; what came after the file was full counts as it came. */
  get total(): number {
    return this.#written + this.#beyond;
  }

  add(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    if (this.#isFull) this.#addBeyond(chunk);
    else this.#append(this.#streams[stream].write(chunk));
  }

  /** A line of ours, on a line of its own. */
  addLine(text: string): void {
    this.settle();
    this.#append(`\n${text}\n`);
  }

  /** Brings in what waits for the end of its line. */
  settle(): void {
    for (const stream of Object.values(this.#streams)) this.#append(stream.settle());
  }

  /** Brings in the rest of both streams. */
  finish(): void {
    for (const stream of Object.values(this.#streams)) this.#append(stream.end());
  }

  /** The last line that is not empty, for progress. */
  lastLine(): string {
    const text = plainText(this.#tail.bytes().subarray(-1000).toString('utf8')).trimEnd();
    return text.slice(text.lastIndexOf('\n') + 1);
  }

  /** At most `limit` bytes from an offset on; whole characters. */
  read(offset: number, limit: number): OutputPiece {
    const start = Math.min(Math.max(0, offset), this.total);
    const tailStart = this.total - this.#tail.length;
    if (start < this.#written) return piece(start, this.#readFile(start, Math.min(limit, this.#written - start)), 0);
    const begin = Math.max(start, tailStart);
    const bytes = this.#tail.bytes().subarray(begin - tailStart);
    return piece(begin, bytes.subarray(0, limit), begin - start);
  }

  /** Head and tail in at most `limit` bytes. */
  show(limit: number): ShownOutput {
    if (this.total <= limit) return { text: this.read(0, limit).text, dropped: 0 };
    const head = this.#readFile(0, Math.min(limit, this.#written)).toString('utf8');
    const tail = plainText(this.#tail.bytes().subarray(-limit).toString('utf8'));
    return cutOutput(head, tail, this.total, limit);
  }

  /** The offset at which a text stands first, from an offset on; undefined if it does not. */
  find(text: string, from: number): number | undefined {
    const step = 64 * 1024;
    const wanted = Buffer.from(text);
    for (let at = from; at < this.#written; at += step) {
      const found = this.#readFile(at, step + wanted.length - 1).indexOf(wanted);
      if (found !== -1) return at + found;
    }
    const start = this.total - this.#tail.length;
    const found = this.#tail.bytes().indexOf(wanted, Math.max(0, from - start));
    return found === -1 ? undefined : start + found;
  }

  remove(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }

  #append(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text);
    const room = this.#isFull ? 0 : this.#limit - this.#written;
    const taken = this.#write(bytes.subarray(0, Math.max(0, room)));
    this.#tail.add(bytes.subarray(0, taken));
    if (taken === bytes.length) return;
    this.#isFull = true;
    this.#addBeyond(bytes.subarray(taken));
  }

  /** How many bytes the file took: fewer than all where the disk is full. */
  #write(bytes: Uint8Array): number {
    let taken = 0;
    try {
      while (taken < bytes.length) {
        const count = writeSync(this.#file, bytes, taken, bytes.length - taken, this.#written);
        taken += count;
        this.#written += count;
      }
    } catch (error) {
      if (systemFault(error) === undefined) throw error;
    }
    return taken;
  }

  #addBeyond(chunk: Uint8Array): void {
    this.#beyond += chunk.length;
    this.#tail.add(chunk);
  }

  #readFile(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.#written - offset)));
    const count = readSync(this.#file, bytes, 0, bytes.length, offset);
    return bytes.subarray(0, count);
  }
}

function piece(start: number, bytes: Buffer, skipped: number): OutputPiece {
  const { text, from, to } = wholeCharacters(bytes);
  return { text: plainText(text), offset: start + from, nextOffset: start + to, skipped };
}
