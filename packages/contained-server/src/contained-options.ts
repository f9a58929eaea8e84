import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckPermission, readCheckPermission } from '@capstan/checks';
import { CapstanError, parseJson, type SandboxBind, type SandboxKind } from '@capstan/contracts';
import { readUppers } from '@capstan/sandbox';
import { z } from 'zod';

/** Where the workspace lies inside the sandbox. */
export const workspaceInside = '/workspace';

/** How a server that runs repository code was started: everything it knows comes from its arguments. */
export interface ContainedOptions {
  /** The workspace on the host, absolute. */
  readonly root: string;
  /** A folder of the server's own on the host. */
  readonly state: string;
  readonly sandbox: SandboxKind;
  /** Where toolchains are looked for, as a PATH. */
  readonly searchPath: string;
  /** Dependency folders and the like that are laid over the workspace. */
  readonly binds: readonly SandboxBind[];
  /** Which of the checks that are found may be run. */
  readonly checks: CheckPermission;
  /** The longest time that one run of a check may take. Milliseconds. */
  readonly longestMs: number;
  /** Where overlays can keep what is written: in the state folder, in memory. */
  readonly uppers: ReturnType<typeof readUppers>;
}

/** What was read, and what the server's own options say. */
export interface ReadOptions {
  readonly options: ContainedOptions;
  /** The values of an option of the server's own, in their order. */
  own(name: string): readonly string[];
  /** The error of a command line that cannot be used. */
  usage(message: string, hint: string): CapstanError;
}

const Bind = z.tuple([z.string().refine(isAbsolute), z.string().min(1), z.enum(['read', 'write', 'overlay'])]);
const KINDS: readonly string[] = ['bubblewrap', 'util-linux', 'none'] satisfies SandboxKind[];

/** Reads the command line of the server `name`, which may have options of its own beside. Throws `usage` with what was wrong. */
export function readContainedOptions(name: string, argv: readonly string[], own: readonly string[] = []): ReadOptions {
  const usage = (message: string, hint: string): CapstanError => {
    return new CapstanError('usage', `${name}: ${message}.`, { hint });
  };
  const seeReadme = `See the README of the ${name} server.`;
  const values = parse(argv, own, (message) => usage(message, seeReadme));
  const required = (option: string): string => {
    const value = values.get(option)?.at(-1) ?? '';
    if (value === '') throw usage(`--${option} is missing`, seeReadme);
    return value;
  };
  const root = resolve(required('root'));
  const sandbox = required('sandbox');
  if (!isKind(sandbox)) throw usage(`--sandbox is "${sandbox}"`, `Use one of: ${KINDS.join(', ')}.`);
  const checks = values.get('checks')?.at(-1) ?? '{}';
  const permission = readCheckPermission(checks);
  if (permission === undefined) {
    throw usage(`--checks '${checks}' cannot be read`, 'Write it as {"only":["npm:test"],"deny":[]}.');
  }
  const longestMs = Number(values.get('timeout-ms')?.at(-1) ?? LONGEST_MS);
  if (!Number.isInteger(longestMs) || longestMs < 1)
    throw usage('--timeout-ms is no number of milliseconds', 'Give one.');
  const binds = (values.get('bind') ?? []).map((text) => {
    const bind = readBind(text);
    if (bind !== undefined) return bind;
    throw usage(`--bind '${text}' cannot be read`, 'Write it as ["/host/folder","folder","read"].');
  });
  return {
    options: {
      root,
      state: resolve(required('state')),
      sandbox,
      searchPath: required('search-path'),
      binds,
      checks: permission,
      longestMs,
      uppers: readUppers(values.get('uppers')?.at(-1)),
    },
    own: (option) => values.get(option) ?? [],
    usage,
  };
}

const LONGEST_MS = 600_000;

/** The options as a server's help shows them; each server adds its own. */
export const containedProgramOptions = {
  root: { value: 'FOLDER', required: true, description: 'The workspace' },
  state: { value: 'FOLDER', required: true, description: "A folder of the server's own, outside of the workspace" },
  sandbox: { value: 'KIND', description: `What contains commands: ${KINDS.join(', ')}. Without: what works here` },
  'search-path': { value: 'PATH', description: 'Where toolchains are looked for, e.g. /usr/bin:/bin. Without: PATH' },
  bind: {
    value: 'JSON',
    multiple: true,
    description: 'A folder laid over the workspace: ["/host/folder","folder","read"]',
  },
  checks: { value: 'JSON', description: 'Which checks may run: {"only":["npm:test"],"deny":[]}' },
  'timeout-ms': { value: 'N', description: 'The longest that one run may take' },
  uppers: { value: 'WHERE', description: 'Where overlays keep what is written' },
} as const;
const COMMON = Object.keys(containedProgramOptions);

function parse(
  argv: readonly string[],
  own: readonly string[],
  usage: (message: string) => CapstanError,
): ReadonlyMap<string, readonly string[]> {
  const option = { type: 'string', multiple: true } as const;
  try {
    const options = Object.fromEntries([...COMMON, ...own].map((name) => [name, option]));
    const { values } = parseArgs({ args: [...argv], options });
    return new Map(Object.entries(values).map(([name, given]) => [name, given ?? []]));
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

/** A JSON array, because paths may hold any character; `to` may be relative to the workspace. */
function readBind(text: string): SandboxBind | undefined {
  const bind = Bind.safeParse(parseJson(text));
  if (!bind.success) return undefined;
  const [from, to, access] = bind.data;
  return { from, to: resolve(workspaceInside, to), access };
}

function isKind(text: string): text is SandboxKind {
  return KINDS.includes(text);
}
