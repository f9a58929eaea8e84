import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';

/** Headers that callers must not set: of the connection, of the host, of credentials, and those that the server makes. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['host', 'content-length', 'accept-encoding', 'content-encoding', 'range', 'if-range', 'via', 'forwarded'],
  ...[
    'authorization',
    'cookie',
    'cookie2',
    'content-type',
    'x-http-method-override',
    'x-http-method',
    'x-method-override',
  ],
]);

const ownPrefix = /^(?:proxy-|sec-|x-forwarded-|x-original-|x-rewrite-|x-host$)/u;

/** What stands against headers of a call: names that are not the caller's to set, and values that could end a line. */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  added: readonly { readonly name: string }[],
): Refusal | undefined {
  const seen = new Set(added.map(({ name }) => name.toLowerCase()));
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/u.test(name)) return refuse(name, 'is no name of a header', 'Leave it out.');
    if (ownHeaders.has(lower) || ownPrefix.test(lower)) return refuse(name, 'is not yours to set', adviceFor(lower));
    if (seen.has(lower)) return refuse(name, 'is set by the configuration, or twice', 'Leave it out.');
    if (!/^[\t\x20-\x7e]{0,4096}$/u.test(value)) {
      return refuse(name, 'has a value with line breaks, or other than ASCII, or too long', 'Use plain ASCII text.');
    }
    seen.add(lower);
  }
  return undefined;
}

function adviceFor(name: string): string {
  if (name === 'content-type') return 'Use contentType, or json.';
  if (name === 'range') return 'Use offset to read on.';
  if (name === 'authorization' || name === 'cookie')
    return 'Credentials are added by the configuration of this server.';
  return 'Leave it out.';
}

function refuse(name: string, problem: string, hint: string): Refusal {
  return param(`Nothing was sent: the header ${JSON.stringify(name.slice(0, 100))} ${problem}.`, hint, 'bad-header');
}
