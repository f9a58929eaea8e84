import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

/** Who may come in over HTTP. */
export interface HttpGuard {
  /** Names that the headers Host and Origin may carry; IPv6 addresses in brackets. */
  readonly names: readonly string[];
  /** Undefined: whoever reaches the address. */
  readonly token: string | undefined;
}

/** A request that is refused before its body is read. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Undefined when the request may go on. The name check stops web pages whose name was turned to this address (DNS
 * rebinding), the origin check pages of elsewhere, the token everybody else. Tokens are compared in constant time.
 */
export function refuseRequest(headers: IncomingHttpHeaders, guard: HttpGuard): HttpRefusal | undefined {
  const names = [...guard.names];
  const host = validateHostHeader(headers.host, names);
  if (!host.ok) {
    const hint =
      host.hostname === undefined
        ? ''
        : ` If it is a name of this server, start it with --allow-host ${host.hostname}.`;
    return { status: 403, message: `The header Host is not allowed here.${hint}` };
  }
  if (!validateOriginHeader(headers.origin, names).ok) {
    return {
      status: 403,
      message: 'The header Origin is not allowed here: web pages of other servers may not call this one.',
    };
  }
  if (guard.token === undefined || carriesToken(headers.authorization, guard.token)) return undefined;
  return {
    status: 401,
    message: 'The bearer token is missing or wrong. Send it in the header Authorization: Bearer TOKEN.',
    headers: { 'WWW-Authenticate': 'Bearer realm="mcp"' },
  };
}

function carriesToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
