import { domainToUnicode } from 'node:url';
import { isContentKey, textArguments } from '../policy/text-arguments.ts';

const destinationKeys =
  /^(to|cc|bcc|recipients?|receivers?|e?mails?|address(es)?|urls?|uris?|endpoints?|hosts?|hostname|domains?|server|webhooks?|callback|channels?|rooms?|target|destinations?|remotes?|repository|phone|number|user|username|收件人|抄送|密送|地址|网址|目标|主机|域名|频道|接收人|电话)$/iu;
const looksLikeAddress =
  /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|mailto:\S+|[^\s@/]+@[^\s@/]+\.[^\s@/]+|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?)$/iu;

/**
 * The arguments that say where something goes: those under a name that means a destination, and those that look like
 * an address under any other name.
 */
export function destinationsOf(input: Readonly<Record<string, unknown>>): string[] {
  const found = textArguments(input).filter(({ key, value }) => {
    const text = value.trim();
    if (text === '') return false;
    const name = withoutPrefix(key);
    return destinationKeys.test(name) || (!isContentKey(key) && looksLikeAddress.test(text)) || /^mailto:/iu.test(text);
  });
  return [...new Set(found.flatMap(({ value }) => splitList(value)))];
}

/** True when the user typed this destination (or it is on the list), as a whole and not as part of a longer name. */
export function isNamed(destination: string, userText: string, allowed: readonly string[]): boolean {
  const names = namesOf(destination);
  if (names.length === 0) return false;
  const listed = new Set(allowed.map(normalise));
  const text = normalise(userText);
  return names.some((name) => listed.has(name) || occursWhole(text, name));
}

/** What must have been named: a URL by itself or by its host (and port), anything else by itself. */
function namesOf(destination: string): string[] {
  const text = normalise(destination.trim());
  if (/^mailto:/u.test(text)) return namesOf(text.slice('mailto:'.length).split('?')[0] ?? '');
  if (!/^[a-z][a-z0-9+.-]*:\/\//u.test(text)) return text === '' ? [] : [text];
  const url = URL.parse(destination.trim());
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') return [];
  const host = url.hostname.toLowerCase();
  return [...new Set([normalise(url.href), url.host.toLowerCase(), host, normalise(domainToUnicode(host))])].filter(
    Boolean,
  );
}

/** "subject to" style prefixes: `mail_to`, `webhookUrl` and `targetHost` mean what their last word means. */
function withoutPrefix(key: string): string {
  const words = key.replace(/([a-z0-9])([A-Z])/gu, '$1_$2').split(/[_\-.\s]+/u);
  return words.at(-1) ?? key;
}

function splitList(value: string): string[] {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(value.trim())) return [value.trim()];
  const parts = value.split(/[,;，；、]/u).map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => /<([^<>]+)>$/u.exec(part)?.[1] ?? part);
}

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Whole: no character that could belong to a longer address stands before or after. Chinese text has no spaces, so
 * letters of other scripts end a name that starts in ASCII; a name that starts otherwise needs a real boundary.
 */
function occursWhole(text: string, name: string): boolean {
  const ascii = /^[\x21-\x7e]+$/u.test(name);
  const before = ascii ? /[a-z0-9._%+@#-]$/u : /[\p{L}\p{N}._%+@#-]$/u;
  const after = ascii ? /^(?:[a-z0-9_%+@-]|[.:][a-z0-9_-])/u : /^(?:[\p{L}\p{N}_%+@-]|[.:][\p{L}\p{N}_-])/u;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!before.test(text.slice(Math.max(0, at - 2), at)) && !after.test(text.slice(end, end + 4))) return true;
  }
  return false;
}
