import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';

/** What came of reading a body. `gone`: it did not come whole. Of one that is too large nothing is kept. */
export type ReadBody = { readonly text: string } | 'too-large' | 'gone';

/** Reads a body of at most `limit` bytes. What is too much is read on and thrown away, so that the sender gets its answer. */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (result: ReadBody): void => {
      chunks.length = 0;
      request.removeAllListeners('data').resume();
      resolve(result);
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) return end('too-large');
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > limit) end('too-large');
    });
    request.once('end', () => end({ text: Buffer.concat(chunks).toString('utf8') }));
    request.once('close', () => end('gone')).once('error', () => end('gone'));
  });
}

/** The request as the web's API has it, without its body, which has been read. */
export function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  return new Request(url, { method: request.method ?? 'GET', headers, signal });
}

/** Writes an answer as its reader takes it. When the reader goes away, or has gone, the answer's source is cancelled. */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  to.flushHeaders();
  if (response.body === null) {
    to.end();
    return;
  }
  const reader = response.body.getReader();
  const gone = new Promise<void>((resolve) => {
    finished(to, () => resolve(reader.cancel().catch(() => undefined)));
  });
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!to.write(part.value)) await Promise.race([once(to, 'drain'), gone]);
  }
  to.end();
}

/** A JSON-RPC error as the body of an HTTP answer. */
export function errorResponse(
  status: number,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers: { ...headers } });
}
