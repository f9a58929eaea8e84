import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';

/** What is asked for in `Accept-Encoding`. */
export const acceptedEncodings = 'gzip, br';

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

export interface Body {
  readonly bytes: Buffer;
  /** True if there was more than the limit. */
  readonly cut: boolean;
}

/**
 * Reads a body, decompressed, up to `limit` bytes after decompression; the connection is closed at the limit. More than
 * `limit` bytes before decompression end it too: some compressed data gives nothing for ever.
 */
export async function readBody(response: IncomingMessage, limit: number): Promise<Body | Refusal> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = decoders[encoding];
  if (decoder === undefined && encoding !== 'identity') {
    response.destroy();
    return param('The answer is compressed in a way that is not known here.', 'Use another address.', 'bad-encoding');
  }
  const wire = { bytes: 0, limit };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decoded(response, decoder, wire)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limit) break;
    }
  } catch (thrown) {
    const refusal = compressionProblem(thrown);
    if (refusal === undefined) throw thrown;
    // An answer to HEAD, or without content, says how it would be compressed.
    return wire.bytes === 0 ? { bytes: Buffer.alloc(0), cut: false } : refusal;
  } finally {
    response.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), cut: bytes > limit };
}

/** What has come in before decompression. */
interface Wire {
  bytes: number;
  readonly limit: number;
}

function decoded(response: IncomingMessage, decoder: (() => Transform) | undefined, wire: Wire): AsyncIterable<Buffer> {
  if (decoder === undefined) return response;
  // The error of the pipeline is thrown where its last stream is read.
  const last: Readable = pipeline(
    response,
    (source: AsyncIterable<Buffer>) => bounded(source, wire),
    decoder(),
    () => {},
  );
  return last;
}

class TooMuchCompressed extends Error {}

async function* bounded(source: AsyncIterable<Buffer>, wire: Wire): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    wire.bytes += chunk.length;
    if (wire.bytes > wire.limit) throw new TooMuchCompressed();
    yield chunk;
  }
}

function compressionProblem(thrown: unknown): Refusal | undefined {
  if (thrown instanceof TooMuchCompressed) {
    return param('The compressed answer is larger than the limit of its rule.', 'Ask for a smaller part.', 'too-large');
  }
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (!/^(?:Z_|ZSTD_|ERR__|ERR_PADDING)/u.test(code)) return undefined;
  return param('The answer is compressed, and broken.', 'Use another address, or tell the user.', 'bad-encoding');
}
