import { type Failure, sizes } from '@capstan/contracts';
import { defineTool, type ReplyPart, type Tool, type ToolLink } from '@capstan/tool-server';
import { z } from 'zod';
import { describePart, ReadPart, ReadRequest, readPart, type Shown } from './read-part.ts';

/** Kept free for headings and notes. Bytes. */
const headingReserve = 4 * 1024;

const description = `Reads up to 20 text files (and small images) in one call, whole or by lines. Use it before every edit, and for what list_files or search_text found. \
Shows 32 KiB per call, cut at line ends, and says how to go on. Reads UTF-8, UTF-16, GBK and Latin-1; not binary files, secrets or files over 16 MiB. \
To find where something is use search_text; for names only list_files.`;

/** The tool that reads several files at once (requirement T6). */
export function readFilesTool(root: string): Tool {
  return defineTool({
    name: 'read_files',
    title: 'Read files',
    description,
    tier: 'read',
    idempotent: true,
    input: z.strictObject({
      files: z.array(ReadRequest).min(1).max(20).describe('What to read, e.g. [{"path":"src/sum.mjs"}]'),
      lineNumbers: z.boolean().default(false).describe('Put its number before each line, e.g. true'),
    }),
    output: z.strictObject({ files: z.array(ReadPart) }),
    handler: async ({ files, lineNumbers }) => {
      const reply = new ReadReply();
      for (const [index, file] of files.entries()) {
        const budget = reply.shareOf(files.length - index);
        reply.add(file.path, await readPart(root, file, { budget, lineNumbers }));
      }
      return reply.end();
    },
  });
}

/** Gathers the files of one reply; what a file leaves of its share goes to those after it. */
class ReadReply {
  readonly #parts: ReadPart[] = [];
  readonly #images: ReplyPart[] = [];
  readonly #links: ToolLink[] = [];
  #failure: Failure | undefined;
  #left = sizes.inlineLimit - headingReserve;

  shareOf(files: number): number {
    return Math.floor(this.#left / files);
  }

  add(path: string, shown: Shown | { readonly failure: Failure }): void {
    if ('failure' in shown) {
      this.#failure ??= shown.failure;
      this.#parts.push({ path, error: `${shown.failure.message} ${shown.failure.hint ?? ''}`.trim() });
      return;
    }
    const { part, image, link } = shown;
    this.#left -= Buffer.byteLength(part.text ?? '') + Math.ceil((part.bytes ?? 0) / 3) * 4;
    this.#parts.push(part);
    if (image !== undefined) this.#images.push(image);
    if (link !== undefined) this.#links.push(link);
  }

  end() {
    const nothing = this.#parts.every((part) => part.error !== undefined) && this.#links.length === 0;
    if (this.#failure !== undefined && nothing) return { failure: this.#failure };
    return {
      text: this.#parts.map(describePart).join('\n'),
      structured: { files: this.#parts },
      parts: this.#images,
      links: this.#links,
    };
  }
}
