import { isIP } from 'node:net';
import { param } from '@capstan/tool-server';
import type { Refusal } from '@capstan/workspace';
import type { Rule } from '../rules/rule.ts';
import { failureOf } from './network-failure.ts';

/** An address that a rule permits; requests are sent to no other. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Asks for the addresses of a name: a port, so that tests can play a name server. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Resolves a host once. One address that the rule does not permit is enough to refuse: a name that points to a public
 * and to a private address is an attempt to get in.
 */
export async function resolveHost(
  resolve: Resolve,
  hostname: string,
  rule: Rule,
): Promise<readonly CheckedAddress[] | Refusal> {
  const literal = hostname.replace(/^\[|\]$/gu, '');
  let found: readonly string[];
  try {
    found = isIP(literal) === 0 ? await resolve(hostname) : [literal];
  } catch (thrown) {
    return failureOf(thrown, { host: hostname, sent: false });
  }
  const forbidden = found.find((address) => !rule.permits(address));
  if (forbidden !== undefined) {
    return param(
      `Nothing was sent: ${hostname} leads to ${forbidden}, which is no public address.`,
      'Only a person can list such an address for that host in the configuration of this server.',
      'address-refused',
    );
  }
  const checked = found.map((address): CheckedAddress => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
  return checked.length > 0 ? checked : failureOf({ code: 'ENOTFOUND' }, { host: hostname, sent: false });
}
