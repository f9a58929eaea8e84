import { readFile } from 'node:fs/promises';
import { BlockList, isIPv6 } from 'node:net';
import { CapstanError } from '@capstan/contracts';
import type { HttpChoice } from './command-line.ts';

/** Shorter ones can be guessed. Characters. */
const shortestToken = 16;

/**
 * The token that clients must send; undefined when whoever reaches the address may come in, which takes a loopback
 * address and a word of the person who starts the server. Throws `usage`.
 */
export async function readToken(
  name: string,
  choice: HttpChoice,
  fromEnvironment: string | undefined,
): Promise<string | undefined> {
  const given = choice.tokenFile === undefined ? fromEnvironment : await readTokenFile(name, choice.tokenFile);
  if (choice.noToken) {
    if (given !== undefined) throw usage(name, 'a token is given, and --no-token too', 'Leave out one of them.');
    if (isLoopback(choice.host)) return undefined;
    throw usage(
      name,
      `--no-token would let everybody in who reaches ${choice.host}`,
      'Give a token, or use 127.0.0.1.',
    );
  }
  const hint = 'Give one with --token-file FILE or CAPSTAN_SERVER_TOKEN; on 127.0.0.1 --no-token goes without.';
  if (given === undefined) throw usage(name, '--http needs a bearer token', hint);
  const token = given.trim();
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < shortestToken) {
    throw usage(
      name,
      `the token must have at least ${shortestToken} visible ASCII characters`,
      'Make one: openssl rand -hex 32',
    );
  }
  return token;
}

/** Whether an address or name means this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || (/^[\d.:a-fA-F]+$/.test(host) && loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

async function readTokenFile(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usage(name, `--token-file cannot be read: ${reason}`, 'Name a file that holds nothing but the token.');
  }
}

function usage(name: string, message: string, hint: string): CapstanError {
  return new CapstanError('usage', `${name}: ${message}.`, { hint });
}
