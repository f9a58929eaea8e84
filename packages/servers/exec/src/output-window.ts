import { StringDecoder } from 'node:string_decoder';
import { plainText } from '@capstan/checks';

const HEAD_BYTES = 32 * 1024;
const TAIL_BYTES = 64 * 1024;

/** The part of an output that is shown, and how many bytes of it are not. */
export interface ShownOutput {
  readonly text: string;
  readonly dropped: number;
}

/** Keeps the beginning and the end of an output that may have any length, its two streams in the order they came. */
export class OutputWindow {
  private readonly decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  private head = '';
  private tail = '';
  private total = 0;

  add(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    this.addText(this.decoders[stream].write(Buffer.from(chunk)));
  }

  addText(text: string): void {
    this.total += Buffer.byteLength(text);
    const room = Math.max(0, HEAD_BYTES - this.head.length);
    this.head += text.slice(0, room);
    this.tail += text.slice(room);
    if (this.tail.length > 2 * TAIL_BYTES) this.tail = this.tail.slice(-TAIL_BYTES);
  }

  /** The last line that was written, for progress. */
  lastLine(): string {
    const end = plainText((this.tail === '' ? this.head : this.tail).slice(-1000)).trimEnd();
    return end.slice(end.lastIndexOf('\n') + 1);
  }

  /** Head and tail in at most `limit` bytes of UTF-8, without control sequences and without half characters. */
  show(limit: number): ShownOutput {
    const lost = this.total - Buffer.byteLength(this.head) - Buffer.byteLength(this.tail);
    if (lost <= 0) {
      const whole = plainText(this.head + this.tail);
      const size = Buffer.byteLength(whole);
      return size <= limit ? { text: whole, dropped: 0 } : cut(whole, whole, size, limit);
    }
    const [head, tail] = [plainText(this.head), plainText(this.tail)];
    return cut(head, tail, Buffer.byteLength(head) + Buffer.byteLength(tail) + lost, limit);
  }
}

const NOTE_BYTES = 48;

/** A third of the room for the head, the rest for the tail: what went wrong usually stands at the end. */
function cut(head: string, tail: string, size: number, limit: number): ShownOutput {
  const room = Math.max(0, limit - NOTE_BYTES);
  const first = firstBytes(head, Math.floor(room / 3));
  const last = lastBytes(tail, room - Math.floor(room / 3));
  const dropped = size - Buffer.byteLength(first) - Buffer.byteLength(last);
  return { text: firstBytes(`${first}\n[... ${dropped} bytes left out ...]\n${last}`, limit), dropped };
}

/** The longest beginning of a text in at most `bytes` bytes of UTF-8. */
export function firstBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  if (buffer.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && isContinuation(buffer[end])) end -= 1;
  return buffer.toString('utf8', 0, end);
}

/** The longest end of a text in at most `bytes` bytes of UTF-8. */
export function lastBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  let start = Math.max(0, buffer.length - Math.max(0, bytes));
  while (start < buffer.length && isContinuation(buffer[start])) start += 1;
  return buffer.toString('utf8', start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
