import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import { findRule } from '../rules/find-rule.ts';
import type { Method } from '../rules/http-config.ts';
import { readUrl } from '../rules/read-url.ts';
import type { Rule } from '../rules/rule.ts';
import { checkHeaders } from './check-headers.ts';

/** A request as a caller asks for it. */
export interface CallerRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Buffer; readonly contentType: string };
}

/** A request that a rule allows; nothing was sent yet. */
export interface PlannedRequest {
  readonly rule: Rule;
  readonly method: Method;
  readonly url: URL;
  /** Without those that the rule adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** The most that is sent. Bytes. */
const mostBytes = 4 * 1024 * 1024;

/** Judges a request by the rules, without touching the network. */
export function planRequest(rules: readonly Rule[], request: CallerRequest): PlannedRequest | Refusal {
  const { method, body } = request;
  const url = readUrl(request.url);
  if ('failure' in url) return url;
  const rule = findRule(rules, method, url);
  if ('failure' in rule) return rule;
  const problem = checkHeaders(request.headers, rule.headers);
  if (problem !== undefined) return problem;
  if (body !== undefined && body.bytes.length > mostBytes) {
    return param(
      `Nothing was sent: the body has ${body.bytes.length} bytes.`,
      `Send ${mostBytes} at most.`,
      'too-large',
    );
  }
  const type = body === undefined ? {} : { 'Content-Type': body.contentType };
  return { rule, method, url, headers: { ...request.headers, ...type }, body: body?.bytes };
}

/** The request in words, with the names of secrets in the place of their values: what a dry run shows. */
export function showRequest({ rule, method, url, headers, body }: PlannedRequest): string {
  const shown = [...Object.entries(headers), ...rule.headers.map(({ name, shown }) => [name, shown] as const)];
  const lines = [
    `${method} ${url.href}`,
    `Host: ${url.host}`,
    ...shown.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return body === undefined || body.length === 0 ? lines.join('\n') : `${lines.join('\n')}\n\n${body.toString('utf8')}`;
}
