import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the server answers: with vectors, or as endpoints fail. */
export type Behaviour = 'vectors' | 'longer-vectors' | 'status' | 'garbage' | 'too-few' | 'silent';

/** What texts are about: one direction of the vectors each, whatever words say it. */
const topics = [/animal|cat|dog|wombat/gi, /money|price|coin|invoice/gi, /sky|star|moon|comet/gi];

/** An embeddings endpoint on a port of this machine, with vectors that depend on the text alone. */
export class EmbeddingServer {
  behaviour: Behaviour = 'vectors';
  /** How many texts were asked for, and with which authorization the last time. */
  texts = 0;
  authorization: string | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    this.authorization = request.headers.authorization;
    if (this.behaviour === 'silent') return;
    if (this.behaviour === 'status') response.statusCode = 500;
    if (this.behaviour === 'status' || this.behaviour === 'garbage') {
      response.end('<html>no vectors here</html>');
      return;
    }
    const { input } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: string[] };
    this.texts += input.length;
    const data = input.map((text, index) => ({ index, embedding: this.#vector(text) })).reverse();
    response.end(JSON.stringify({ data: this.behaviour === 'too-few' ? data.slice(1) : data }));
  }

  #vector(text: string): number[] {
    const vector = topics.map((topic) => text.match(topic)?.length ?? 0);
    return [...vector, 0.01, ...(this.behaviour === 'longer-vectors' ? [0.01] : [])];
  }
}
