import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckPermission, readCheckPermission } from '@capstan/checks';
import { CapstanError, type SandboxBind, type SandboxKind } from '@capstan/contracts';
import { readUppers } from '@capstan/sandbox';
import { z } from 'zod';

/** Where the workspace lies inside the sandbox. */
export const workspaceInside = '/workspace';

/** How one exec server was started: everything it knows comes from its arguments. */
export interface ExecOptions {
  /** The workspace on the host, absolute. */
  readonly root: string;
  readonly sandbox: SandboxKind;
  /** Where toolchains are looked for, as a PATH. */
  readonly searchPath: string;
  /** Dependency folders and the like that are laid over the workspace. */
  readonly binds: readonly SandboxBind[];
  /** Which of the checks that are found may be run. */
  readonly checks: CheckPermission;
  /** Where overlays can keep what is written: in the state folder, in memory. */
  readonly uppers: ReturnType<typeof readUppers>;
  /** A folder of this server's own on the host, for the reports of runners. */
  readonly state: string;
  /** The longest time that a run may be given. */
  readonly longestMs: number;
}

const LONGEST_MS = 600_000;
const Bind = z.tuple([z.string().refine(isAbsolute), z.string().min(1), z.enum(['read', 'write', 'overlay'])]);
const KINDS: readonly string[] = ['bubblewrap', 'util-linux', 'none'] satisfies SandboxKind[];

/** Reads the command line of the server. Throws `usage` with what was wrong. */
export function readOptions(argv: readonly string[]): ExecOptions {
  const { values } = parse(argv);
  const root = required('--root', values.root);
  const sandbox = required('--sandbox', values.sandbox);
  if (!isKind(sandbox)) throw usage(`--sandbox is "${sandbox}"`, `Use one of: ${KINDS.join(', ')}.`);
  const longestMs = Number(values['timeout-ms'] ?? LONGEST_MS);
  if (!Number.isInteger(longestMs) || longestMs < 1)
    throw usage('--timeout-ms is no number of milliseconds', 'Give one.');
  return {
    root: resolve(root),
    sandbox,
    searchPath: required('--search-path', values['search-path']),
    binds: (values.bind ?? []).map(readBind),
    checks: readChecks(values.checks),
    uppers: readUppers(values.uppers),
    state: resolve(required('--state', values.state)),
    longestMs,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        root: { type: 'string' },
        sandbox: { type: 'string' },
        'search-path': { type: 'string' },
        bind: { type: 'string', multiple: true },
        checks: { type: 'string' },
        uppers: { type: 'string' },
        state: { type: 'string' },
        'timeout-ms': { type: 'string' },
      },
    });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error), 'See the README of the exec server.');
  }
}

/** A JSON array, because paths may hold any character; `to` may be relative to the workspace. */
function readBind(text: string): SandboxBind {
  const bind = Bind.safeParse(parseJson(text));
  if (!bind.success) throw usage(`--bind '${text}' cannot be read`, 'Write it as ["/host/folder","folder","read"].');
  const [from, to, access] = bind.data;
  return { from, to: resolve(workspaceInside, to), access };
}

/** All checks, where nothing is said. */
function readChecks(text: string | undefined): CheckPermission {
  const permission = readCheckPermission(text ?? '{}');
  if (permission !== undefined) return permission;
  throw usage(`--checks '${text}' cannot be read`, 'Write it as {"only":["npm:test"],"deny":[]}.');
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKind(text: string): text is SandboxKind {
  return KINDS.includes(text);
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw usage(`${name} is missing`, 'See the README of the exec server.');
  return value;
}

function usage(message: string, hint: string): CapstanError {
  return new CapstanError('usage', `exec: ${message}.`, { hint });
}
