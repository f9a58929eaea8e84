import { StringDecoder } from 'node:string_decoder';
import { plainText } from '@capstan/checks';
import { cutOutput, type ShownOutput } from './cut-output.ts';

const HEAD_BYTES = 32 * 1024;
const TAIL_BYTES = 64 * 1024;

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
      return size <= limit ? { text: whole, dropped: 0 } : cutOutput(whole, whole, size, limit);
    }
    const [head, tail] = [plainText(this.head), plainText(this.tail)];
    return cutOutput(head, tail, Buffer.byteLength(head) + Buffer.byteLength(tail) + lost, limit);
  }
}
