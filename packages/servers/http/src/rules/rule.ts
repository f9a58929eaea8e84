import { redactionMark } from '@capstan/telemetry';
import type { HttpConfig, HttpRule, Method } from './http-config.ts';
import { addressRanges, isListedAddress, isPublicAddress } from './public-address.ts';

/** A header that the server adds, with a secret in it. */
interface SecretHeader {
  readonly name: string;
  readonly value: string;
  /** How it is shown to models: with the secret's name. */
  readonly shown: string;
}

/** A rule of the configuration, ready to judge requests. */
export interface Rule {
  /** How it is called in answers, e.g. "https://*.example.com:8443". */
  readonly name: string;
  readonly host: string;
  readonly protocol: 'https:' | 'http:';
  readonly port: number;
  readonly methods: ReadonlySet<Method>;
  readonly paths: readonly string[];
  readonly headers: readonly SecretHeader[];
  /** PEM text of the certificates that are trusted instead of the usual ones. */
  readonly authority: string | undefined;
  readonly limits: HttpRule['limits'];
  /** True for a public address, and for one that the rule lists. */
  permits(address: string): boolean;
}

/** What the file of the configuration only names. */
export interface RuleParts {
  readonly secrets: ReadonlyMap<string, string>;
  /** PEM texts by the names under which rules ask for them. */
  readonly authorities: ReadonlyMap<string, string>;
}

export const defaultPorts = { 'https:': 443, 'http:': 80 } as const;

/** Makes the rules of a configuration. Throws when a part is missing that the configuration names. */
export function compileRules(config: HttpConfig, parts: RuleParts): Rule[] {
  return config.rules.map((rule) => {
    const protocol = `${rule.scheme}:` as const;
    const port = rule.port ?? defaultPorts[protocol];
    const listed = addressRanges(rule.addresses);
    // Secrets go unencrypted to the listed addresses only.
    const reachesPublic = protocol === 'https:' || Object.keys(rule.headers).length === 0;
    return {
      name: `${protocol}//${rule.host}${port === defaultPorts[protocol] ? '' : `:${port}`}`,
      host: rule.host,
      protocol,
      port,
      methods: new Set(rule.methods),
      paths: rule.paths.map((path) => new URL(path, 'https://host').pathname),
      headers: Object.entries(rule.headers).map(([name, source]) => secretHeader(name, source, parts.secrets)),
      authority: rule.authority === undefined ? undefined : partOf(parts.authorities, rule.authority),
      limits: rule.limits,
      permits: (address) => (reachesPublic && isPublicAddress(address)) || isListedAddress(address, listed),
    };
  });
}

function secretHeader(
  name: string,
  source: HttpRule['headers'][string],
  secrets: ReadonlyMap<string, string>,
): SecretHeader {
  const secret = partOf(secrets, source.secret);
  const shown = `{secret ${source.secret}}`;
  if (!('user' in source)) return { name, value: `${source.prefix}${secret}`, shown: `${source.prefix}${shown}` };
  const value = `Basic ${Buffer.from(`${source.user}:${secret}`).toString('base64')}`;
  return { name, value, shown: `Basic ${redactionMark} (user ${source.user}, password ${shown})` };
}

function partOf(parts: ReadonlyMap<string, string>, name: string): string {
  const part = parts.get(name);
  if (part === undefined) throw new TypeError(`The configuration names ${name}, which was not read`);
  return part;
}
