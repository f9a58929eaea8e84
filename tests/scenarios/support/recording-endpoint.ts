import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { TestContext } from 'node:test';

/** The body of a request to a chat model, as it went over the wire. */
export interface WireBody {
  readonly messages: readonly WireMessage[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly [member: string]: unknown;
}

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** Stands between Capstan and a model server, passes everything on, and keeps what was asked. */
export async function recordingEndpoint(t: TestContext, target: string) {
  const bodies: WireBody[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await new Response(request).text();
    bodies.push(JSON.parse(body) as WireBody);
    const answered = await fetch(new URL(request.url ?? '/', target), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'text/plain' });
    await pipeline((answered.body ?? new Response('').body) as ReadableStream, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${new URL(target).pathname}`, bodies };
}
