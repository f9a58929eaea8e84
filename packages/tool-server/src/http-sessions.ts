import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { errorResponse } from './http-exchange.ts';

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Answers that are still being sent. */
  open: number;
  lastUsedMs: number;
}

interface SessionLimits {
  /** The most sessions at once. */
  readonly sessions: number;
  /** A session that nothing has used for so long ends. Milliseconds. */
  readonly idleMs: number;
}

/** The sessions of clients up to protocol 2025-11-25. Each has a server of its own; those that nobody uses end. */
export class HttpSessions {
  readonly #makeServer: () => Server;
  readonly #limits: SessionLimits;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();

  constructor(makeServer: () => Server, limits: SessionLimits, now: () => number) {
    this.#makeServer = makeServer;
    this.#limits = limits;
    this.#now = now;
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Answers one request. When `to` closes before its end, the request is cancelled: nobody could get its answer. */
  async handle(request: Request, body: unknown, to: ServerResponse): Promise<Response> {
    const session = await this.#sessionOf(request, body);
    if (session instanceof Response) return session;
    session.open += 1;
    finished(to, (broken) => {
      session.open -= 1;
      session.lastUsedMs = this.#now();
      if (broken) cancelAll(session.transport, body);
    });
    return session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
  }

  /** Ends the sessions that nothing used for too long. */
  async endIdle(): Promise<void> {
    const before = this.#now() - this.#limits.idleMs;
    const idle = [...this.#sessions.values()].filter((session) => session.open === 0 && session.lastUsedMs < before);
    await Promise.all(idle.map((session) => session.transport.close()));
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.transport.close()));
  }

  async #sessionOf(request: Request, body: unknown): Promise<Session | Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#sessions.get(id) ?? unknownSession();
    if (!isInitializeRequest(body)) return noSession();
    await this.#makeRoom();
    return this.#sessions.size < this.#limits.sessions ? this.#begin() : tooManySessions(this.#limits.sessions);
  }

  async #begin(): Promise<Session> {
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session: Session = { transport, open: 0, lastUsedMs: this.#now() };
    await this.#makeServer().connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      this.#sessions.delete(id);
      onclose?.();
    };
    this.#sessions.set(id, session);
    return session;
  }

  /** When all places are taken, the session that was idle longest gives its own. */
  async #makeRoom(): Promise<void> {
    if (this.#sessions.size < this.#limits.sessions) return;
    const idle = [...this.#sessions.values()].filter((session) => session.open === 0);
    const oldest = idle.sort((first, second) => first.lastUsedMs - second.lastUsedMs)[0];
    await oldest?.transport.close();
  }
}

/** Cancels the requests of a body as if their client had said so. */
function cancelAll(transport: WebStandardStreamableHTTPServerTransport, body: unknown): void {
  for (const message of [body].flat()) {
    if (!isJSONRPCRequest(message)) continue;
    const params = { requestId: message.id, reason: 'The client has gone away.' };
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }
}

function noSession(): Response {
  const message = 'This request belongs to no session. Begin one with initialize, or speak protocol 2026-07-28.';
  return errorResponse(400, { code: -32_000, message });
}

function unknownSession(): Response {
  return errorResponse(404, {
    code: -32_001,
    message: 'There is no such session (any more). Begin one with initialize.',
  });
}

function tooManySessions(limit: number): Response {
  const message = `All ${limit} sessions are in use. Try again later.`;
  return errorResponse(503, { code: -32_000, message }, { 'Retry-After': '5' });
}
