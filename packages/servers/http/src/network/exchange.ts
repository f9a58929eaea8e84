import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Method } from '../rules/http-config.ts';
import type { CheckedAddress } from './resolve-host.ts';

/** One request as it is put on the wire. */
export interface WireRequest {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export interface Way {
  /** The only addresses that are connected to; no name is resolved again. */
  readonly addresses: readonly CheckedAddress[];
  readonly authority: string | undefined;
  readonly signal: AbortSignal;
}

/** Headers of an answer above this end it. Bytes. */
const mostHeaderBytes = 32 * 1024;

/**
 * Sends one request over a connection of its own and gives the answer when its headers are there. It follows no redirect,
 * uses no proxy, and is encrypted for the name in the address. Rejects with what went wrong on the way.
 */
export function exchange(request: WireRequest, way: Way): Promise<IncomingMessage> {
  const { url, method, body } = request;
  const hostname = url.hostname.replace(/^\[|\]$/gu, '');
  const options = {
    method,
    hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    path: `${url.pathname}${url.search}`,
    headers: { ...request.headers, ...(body === undefined ? {} : { 'Content-Length': String(body.length) }) },
    // A new agent for each request: no connection is shared, and only the global agent would use a proxy.
    agent: false as const,
    lookup: pinnedLookup(way.addresses),
    signal: way.signal,
    maxHeaderSize: mostHeaderBytes,
    insecureHTTPParser: false,
  };
  const encrypted = {
    rejectUnauthorized: true,
    servername: isIP(hostname) === 0 ? hostname : '',
    ...(way.authority === undefined ? {} : { ca: way.authority }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = url.protocol === 'https:' ? requestEncrypted({ ...options, ...encrypted }) : requestPlain(options);
  outgoing
    .once('response', resolve)
    .once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(Object.assign(new Error('The host speaks another protocol now'), { code: 'HPE_UPGRADE' }));
    })
    .on('error', reject)
    .end(body);
  return promise;
}

/** Answers every question for an address with the checked ones: what Node connects to was judged before. */
function pinnedLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
