import { BlockList, isIP } from 'node:net';
import { isNamed } from '../flow/destinations.ts';
import type { RuleBreak } from './path-rules.ts';
import { isContentKey, textArguments } from './text-arguments.ts';

const privateNames = /^(localhost|.*\.localhost|.*\.local|.*\.internal|metadata\.google\.internal)$/u;

/** The first URL that points into a private network, unless the user named it or it is listed (requirement T12). */
export function findHostBreak(
  input: Readonly<Record<string, unknown>>,
  userText: string,
  allowed: readonly string[],
): RuleBreak | undefined {
  for (const { key, value } of textArguments(input)) {
    const url = isContentKey(key) ? null : URL.parse(value.trim());
    if (url === null || !/^(https?|wss?|ftp):$/u.test(url.protocol)) continue;
    if (isPrivate(url.hostname) && !isNamed(value, userText, allowed))
      return { rule: 'host-private', message: `${url.host} is a loopback, private or metadata address.` };
  }
  return undefined;
}

function isPrivate(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/gu, '')
    .replace(/\.$/u, '')
    .toLowerCase();
  const family = isIP(host);
  if (family === 0) return privateNames.test(host);
  return privateRanges().check(host, family === 4 ? 'ipv4' : 'ipv6');
}

function privateRanges(): BlockList {
  const list = new BlockList();
  for (const [address, bits] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['224.0.0.0', 3],
  ] as const)
    list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of [
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const)
    list.addSubnet(address, bits, 'ipv6');
  return list;
}
