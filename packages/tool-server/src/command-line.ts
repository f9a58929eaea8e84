import { parseArgs } from 'node:util';
import { CapstanError } from '@capstan/contracts';

/** An option of a server's command line. */
interface ProgramOption {
  /** How its value is written in the help, e.g. "FOLDER"; without: a switch. */
  readonly value?: string;
  readonly description: string;
  readonly required?: boolean;
  readonly multiple?: boolean;
}
export type ProgramOptions = Readonly<Record<string, ProgramOption>>;

/** What options hold: a switch a boolean, a multiple one a list, others a text if given. */
export type GivenValues<Options extends ProgramOptions> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly value: string }
    ? Options[Name] extends { readonly multiple: true }
      ? readonly string[]
      : Options[Name] extends { readonly required: true }
        ? string
        : string | undefined
    : boolean;
};

/** How a server is reached: by the process that started it, or by HTTP. */
type TransportChoice = { readonly kind: 'stdio' } | HttpChoice;
export interface HttpChoice {
  readonly kind: 'http';
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tokenFile: string | undefined;
  readonly noToken: boolean;
  /** Names beside those of this machine under which clients may reach the server. */
  readonly allowedHosts: readonly string[];
  /** The most requests that are worked on at once. */
  readonly atOnce: number;
}

export type CommandLine =
  | { readonly kind: 'help' | 'version' }
  | {
      readonly kind: 'serve';
      readonly transport: TransportChoice;
      readonly values: Readonly<Record<string, unknown>>;
      /** The server's own options as they were written. */
      readonly argv: readonly string[];
    };

const transportOptions = {
  http: {
    value: 'HOST:PORT',
    description: 'Serve Streamable HTTP at /mcp, e.g. 127.0.0.1:8080 or 8080. Without: stdio',
  },
  'token-file': { value: 'FILE', description: 'With --http: the bearer token. Or set CAPSTAN_SERVER_TOKEN' },
  'no-token': { description: 'With --http on a loopback address: let every process of this machine in' },
  'allow-host': { value: 'NAME', multiple: true, description: 'With --http: a name of this server beside localhost' },
  'at-once': {
    value: 'N',
    description: 'With --http: the most requests at once; more are refused as busy. Default 64',
  },
  help: { description: 'Show this' },
  version: { description: 'Show the version' },
} as const satisfies ProgramOptions;

/** Reads a server's command line. Throws `usage` with one sentence on what is wrong. */
export function readCommandLine(name: string, options: ProgramOptions, argv: readonly string[]): CommandLine {
  const known: ProgramOptions = { ...options, ...transportOptions };
  const tokens = parse(name, known, argv);
  const given = (option: string): readonly string[] => tokens.get(option) ?? [];
  if (tokens.has('help')) return { kind: 'help' };
  if (tokens.has('version')) return { kind: 'version' };
  const values: Record<string, unknown> = {};
  const own: string[] = [];
  for (const [option, { value, required, multiple }] of Object.entries(options)) {
    if (required === true && (given(option).at(-1) ?? '') === '') throw usage(name, `--${option} is missing`);
    if (value === undefined) values[option] = tokens.has(option);
    else values[option] = multiple === true ? given(option) : given(option).at(-1);
    if (value === undefined && tokens.has(option)) own.push(`--${option}`);
    if (value !== undefined) own.push(...given(option).map((text) => `--${option}=${text}`));
  }
  return { kind: 'serve', transport: readTransport(name, tokens), values, argv: own };
}

/** The help of a server: what it is for, and its options with those that every server has. */
export function helpText(name: string, summary: string, options: ProgramOptions): string {
  const line = ([option, { value, description, required }]: [string, ProgramOption]): string => {
    const written = `--${option}${value === undefined ? '' : ` ${value}`}`;
    return `  ${written.padEnd(24)} ${description}${required === true ? ' (required)' : ''}\n`;
  };
  const lines = [options, transportOptions].flatMap((group: ProgramOptions) => Object.entries(group)).map(line);
  return `${name}: ${summary}\n\nOptions:\n${lines.join('')}`;
}

function usage(name: string, message: string, hint = 'See --help.'): CapstanError {
  return new CapstanError('usage', `${name}: ${message}.`, { hint });
}

function parse(name: string, known: ProgramOptions, argv: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const options = Object.entries(known).map(([option, { value }]) => {
    return [option, { type: value === undefined ? 'boolean' : 'string', multiple: true }] as const;
  });
  try {
    const { values } = parseArgs({ args: [...argv], options: Object.fromEntries(options) });
    return new Map(Object.entries(values).map(([option, given]) => [option, [given ?? []].flat().map(String)]));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw usage(name, said.split('. ')[0]?.replace(/\.$/, '') ?? said);
  }
}

function readTransport(name: string, tokens: ReadonlyMap<string, readonly string[]>): TransportChoice {
  const one = (option: string): string | undefined => tokens.get(option)?.at(-1);
  const address = one('http');
  if (address === undefined) {
    const stray = ['token-file', 'no-token', 'allow-host', 'at-once'].find((option) => tokens.has(option));
    if (stray !== undefined) throw usage(name, `--${stray} needs --http HOST:PORT`);
    return { kind: 'stdio' };
  }
  const place = /^(?:(?<host>\[[0-9a-fA-F:.]+\]|[^:[\]\s]+):)?(?<port>\d{1,5})$/.exec(address)?.groups;
  const port = Number(place?.port ?? -1);
  if (place === undefined || port > 65_535) {
    throw usage(name, `--http is "${address}"`, 'Write it as HOST:PORT, e.g. 127.0.0.1:8080.');
  }
  const atOnce = Number(one('at-once') ?? 64);
  if (!Number.isInteger(atOnce) || atOnce < 1)
    throw usage(name, '--at-once is no number of requests', 'Give 1 or more.');
  return {
    kind: 'http',
    host: place.host?.replace(/^\[|\]$/g, '') ?? '127.0.0.1',
    port,
    tokenFile: one('token-file'),
    noToken: tokens.has('no-token'),
    allowedHosts: tokens.get('allow-host') ?? [],
    atOnce,
  };
}
