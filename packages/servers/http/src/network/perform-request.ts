import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { findRule } from '../rules/find-rule.ts';
import { hasNoEffect } from '../rules/http-config.ts';
import { readUrl } from '../rules/read-url.ts';
import type { Rule } from '../rules/rule.ts';
import { exchange } from './exchange.ts';
import { failureOf, lateFailure } from './network-failure.ts';
import type { PlannedRequest } from './plan-request.ts';
import { acceptedEncodings, type Body, readBody } from './read-body.ts';
import { type Resolve, resolveHost } from './resolve-host.ts';

export interface NetworkDeps {
  readonly rules: readonly Rule[];
  readonly resolve: Resolve;
}

/** An answer that came in, with its body. */
export interface Arrival {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  /** The addresses that led on to the next one. */
  readonly redirects: readonly string[];
  /** True if secrets were left out because a redirect led to another host. */
  readonly secretsDropped: boolean;
}

/**
 * Carries out a planned request within the time of its rule, from the first question to the last byte. Redirects of GET
 * and HEAD are followed, each judged as a call of its own; what would send a request with an effect again is not.
 */
export async function performRequest(
  deps: NetworkDeps,
  planned: PlannedRequest,
  signal: AbortSignal,
): Promise<Arrival | Refusal> {
  const { milliseconds } = planned.rule.limits;
  const late = AbortSignal.timeout(milliseconds);
  const end = AbortSignal.any([signal, late]);
  const chain = new RedirectChain(deps, planned, end);
  try {
    return await untilAborted(chain.go(), end);
  } catch (thrown) {
    const { hostname: host } = chain.url;
    return late.aborted
      ? lateFailure(host, milliseconds, chain.sent)
      : failureOf(signal.aborted ? { code: 'CANCELLED' } : thrown, { host, sent: chain.sent });
  }
}

/** The way of one call from address to address. */
class RedirectChain {
  readonly #deps: NetworkDeps;
  readonly #planned: PlannedRequest;
  readonly #signal: AbortSignal;
  readonly #redirects: string[] = [];
  #rule: Rule;
  #strange = false;
  url: URL;
  /** True once a request with an effect may have reached its host. */
  sent = false;

  constructor(deps: NetworkDeps, planned: PlannedRequest, signal: AbortSignal) {
    this.#deps = deps;
    this.#planned = planned;
    this.#signal = signal;
    this.#rule = planned.rule;
    this.url = planned.url;
  }

  async go(): Promise<Arrival | Refusal> {
    for (;;) {
      const response = await this.#send();
      if ('failure' in response) return response;
      const next = this.#redirectOf(response);
      if (next === undefined) return this.#arrive(response);
      response.destroy();
      const refusal = this.#turnTo(next);
      if (refusal !== undefined) return refusal;
    }
  }

  async #send(): Promise<IncomingMessage | Refusal> {
    const { url } = this;
    const { method, body } = this.#planned;
    const addresses = await resolveHost(this.#deps.resolve, url.hostname, this.#rule);
    if ('failure' in addresses) return addresses;
    this.#signal.throwIfAborted();
    this.sent = !hasNoEffect(method);
    const headers = this.#headers();
    const way = { addresses, authority: this.#rule.authority, signal: this.#signal };
    return exchange({ method, url, headers, body }, way);
  }

  /** What callers set and what the rule adds stays behind when a redirect leads to another host. */
  #headers(): Record<string, string> {
    const usual = { 'User-Agent': 'capstan-http/0.1', Accept: '*/*', 'Accept-Encoding': acceptedEncodings };
    if (this.#strange) return usual;
    const asked = new Set(Object.keys(this.#planned.headers).map((name) => name.toLowerCase()));
    const kept = Object.entries(usual).filter(([name]) => !asked.has(name.toLowerCase()));
    const added = this.#rule.headers.map(({ name, value }) => [name, value] as const);
    return Object.fromEntries([...kept, ...Object.entries(this.#planned.headers), ...added]);
  }

  #redirectOf(response: IncomingMessage): string | undefined {
    const isRedirect = [301, 302, 303, 307, 308].includes(response.statusCode ?? 0);
    return isRedirect && hasNoEffect(this.#planned.method) ? response.headers.location : undefined;
  }

  /** Judges where a redirect leads; the walk goes on there if nothing stands against it. */
  #turnTo(location: string): Refusal | undefined {
    const from = this.url;
    const { redirects } = this.#planned.rule.limits;
    if (this.#redirects.length >= redirects) return refuse(from, `more than ${redirects} redirects`);
    const url = readUrl(URL.parse(location, from.href)?.href ?? '');
    if ('failure' in url) return refuse(from, 'an address that cannot be used');
    if (from.protocol === 'https:' && url.protocol === 'http:') return refuse(from, `${url.origin}, unencrypted`);
    const rule = findRule(this.#deps.rules, this.#planned.method, url);
    if ('failure' in rule) return refuse(from, url.href, rule.failure.message);
    this.#redirects.push(from.href);
    this.#strange ||= url.origin !== from.origin;
    this.#rule = rule;
    this.url = url;
    return undefined;
  }

  async #arrive(response: IncomingMessage): Promise<Arrival | Refusal> {
    const body = await readBody(response, this.#rule.limits.bytes);
    if ('failure' in body) return this.sent ? unreadable(response.statusCode, body) : body;
    return {
      url: this.url,
      status: response.statusCode ?? 0,
      headers: response.headers,
      body,
      redirects: this.#redirects,
      secretsDropped: this.#strange && this.#planned.rule.headers.length > 0,
    };
  }
}

function refuse(from: URL, where: string, why = ''): Refusal {
  const message = `${from.href} redirects to ${where}. ${why}`.trim();
  return param(message, 'Use another address; only a person can allow more.', 'redirect-refused');
}

/** What was sent had its effect, or not: the status says it, and nobody shall send it again for the sake of the body. */
function unreadable(status: number | undefined, { failure }: Refusal): Refusal {
  const message = `The request was sent and answered with ${status}, but the answer cannot be read. ${failure.message}`;
  const hint = 'Do not send it again before somebody has looked whether it was carried out.';
  return { failure: { level: 'fatal', code: 'unknown-outcome', message, hint } };
}

/** Whatever a host or a name server does, nobody waits longer for it. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
