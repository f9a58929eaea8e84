import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sizes } from '@capstan/contracts';
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { buildServer } from './build-server.ts';
import { errorResponse, readBody, sendResponse, webRequest } from './http-exchange.ts';
import { type HttpGuard, refuseRequest } from './http-guard.ts';
import { HttpSessions } from './http-sessions.ts';
import { isListen, listenTo } from './listen-watches.ts';
import type { PreparedServer } from './prepare-server.ts';

/** The most that is held of bodies which are being read. Bytes. */
const readingLimit = 16 * sizes.messageLimit;
/** The most requests that are open at once, with streams that only listen. */
const openLimit = 2048;
const sessionLimits = { sessions: 256, idleMs: 30 * 60_000 };
const drainStepMs = 20;
/** How long a body is thrown away after its answer. Milliseconds. */
const lingerMs = 3000;

/** An answer, and whether it is a stream that only listens: nobody waits for the end of one. */
interface Answer {
  readonly response: Response;
  readonly listens?: boolean;
}

/** Takes HTTP requests to the MCP server behind: who may come in, how much is read, which protocol it is. */
export class HttpFront {
  readonly #prepared: PreparedServer;
  readonly #guard: HttpGuard;
  readonly #sessions: HttpSessions;
  readonly #handler: McpHttpHandler;
  #open = 0;
  #listening = 0;
  #reading = 0;
  #ending = false;

  constructor(prepared: PreparedServer, guard: HttpGuard, now: () => number) {
    this.#prepared = prepared;
    this.#guard = guard;
    this.#sessions = new HttpSessions(() => buildServer(prepared), sessionLimits, now);
    this.#handler = createMcpHandler(() => buildServer(prepared), {
      legacy: 'reject',
      maxRequestBodySize: sizes.messageLimit,
      // Messages quote what clients sent: no control characters reach a terminal.
      onerror: ({ message }) => {
        console.error(`${prepared.options.name}: ${message.slice(0, 200).replace(/\p{Cc}/gu, ' ')}`);
      },
    });
  }

  /** Answers one HTTP request; never rejects. */
  async exchange(request: IncomingMessage, to: ServerResponse): Promise<void> {
    this.#open += 1;
    try {
      const { response, listens = false } = await this.#answer(request, to);
      if (!request.complete) cutOffLater(request, to);
      this.#listening += listens ? 1 : 0;
      await sendResponse(response, to).finally(() => {
        this.#listening -= listens ? 1 : 0;
      });
    } catch (error) {
      if (!to.destroyed) console.error(error instanceof Error ? error.message : String(error));
      to.destroy();
    } finally {
      this.#open -= 1;
    }
  }

  /** Begins nothing new, and resolves when everything that was begun has been answered. */
  async drain(): Promise<void> {
    this.#ending = true;
    while (this.#open > this.#listening) await delay(drainStepMs);
  }

  async endIdle(): Promise<void> {
    await this.#sessions.endIdle();
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#handler.close(), this.#sessions.endAll()]);
  }

  async #answer(request: IncomingMessage, to: ServerResponse): Promise<Answer> {
    const refusal = refuseRequest(request.headers, this.#guard);
    if (refusal !== undefined) {
      return unread(request, refusal.status, refusal.message, refusal.headers);
    }
    if (request.url?.split('?')[0] !== '/mcp') return unread(request, 404, 'There is nothing here. MCP is at /mcp.');
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? '')) {
      return unread(request, 405, 'Use POST, GET or DELETE.', { Allow: 'GET, POST, DELETE' });
    }
    if (this.#ending) return unread(request, 503, 'The server is ending.', { Connection: 'close' });
    if (this.#open > openLimit)
      return unread(request, 503, 'The server is busy. Try again later.', { 'Retry-After': '1' });
    const gone = new AbortController();
    finished(to, (broken) => {
      if (broken) gone.abort();
    });
    const web = webRequest(request, gone.signal);
    if (request.method !== 'POST') {
      const response = await this.#sessions.handle(web, undefined, to);
      return { response, listens: request.method === 'GET' };
    }
    const body = await this.#readMessage(request);
    return body instanceof Response ? { response: body } : this.#answerMessage(web, body.message, to);
  }

  async #readMessage(request: IncomingMessage): Promise<Response | { readonly message: unknown }> {
    const bytes = Math.min(Number(request.headers['content-length'] ?? sizes.messageLimit), sizes.messageLimit);
    if (this.#reading + bytes > readingLimit) {
      request.resume();
      return failure(503, 'The server reads as much as it can. Try again later.', { 'Retry-After': '1' });
    }
    this.#reading += bytes;
    try {
      const text = await readBody(request, sizes.messageLimit);
      if (text === 'too-large') {
        return failure(413, `A message may have at most ${sizes.messageLimit} bytes. Send less in one call.`);
      }
      return text === 'gone'
        ? failure(400, 'The body did not come whole.')
        : { message: JSON.parse(text.text) as unknown };
    } catch {
      return errorResponse(400, { code: -32_700, message: 'The body is no JSON.' });
    } finally {
      this.#reading -= bytes;
    }
  }

  async #answerMessage(web: Request, message: unknown, to: ServerResponse): Promise<Answer> {
    if (await isLegacyRequest(web, message)) return { response: await this.#sessions.handle(web, message, to) };
    const listening = listenTo(message, this.#prepared.watches, this.#handler.notify);
    if (listening !== undefined) finished(to, () => listening.stop());
    const response = await this.#handler.fetch(web, { parsedBody: message });
    return { response, listens: isListen(message) };
  }
}

/** A sender gets time to finish and to read its answer, but does not send for ever what nobody reads. */
function cutOffLater(request: IncomingMessage, to: ServerResponse): void {
  finished(to, () => {
    const timer = setTimeout(() => request.complete || request.destroy(), lingerMs);
    timer.unref();
  });
}

/** The refusal of a request whose body is not looked at. */
function unread(
  request: IncomingMessage,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  request.resume();
  return { response: failure(status, message, headers) };
}

function failure(status: number, message: string, headers?: Readonly<Record<string, string>>): Response {
  return errorResponse(status, { code: -32_000, message }, headers);
}
