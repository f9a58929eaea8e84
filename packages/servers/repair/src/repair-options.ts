import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckPermission, readCheckPermission } from '@capstan/checks';
import { CapstanError, type SandboxBind, type SandboxKind } from '@capstan/contracts';
import { readUppers } from '@capstan/sandbox';
import { z } from 'zod';

/** Where the workspace and our runtime files lie inside the sandbox. */
export const workspaceInside = '/workspace';
export const runtimeInside = '/capstan/repair';

/** How one repair server was started: everything it knows comes from its arguments. */
export interface RepairOptions {
  /** The workspace on the host, absolute. Never written to. */
  readonly root: string;
  /** A folder of this server's own, where its answers are kept. */
  readonly state: string;
  readonly sandbox: SandboxKind;
  /** Where Node is looked for, as a PATH. */
  readonly searchPath: string;
  /** Dependency folders that are laid over the workspace. */
  readonly binds: readonly SandboxBind[];
  /** Which of the checks that are found may be run. */
  readonly checks: CheckPermission;
  /** Patterns of paths that no patch changes. */
  readonly protect: readonly string[];
  /** Where overlays can keep what is written: in the state folder, in memory. */
  readonly uppers: ReturnType<typeof readUppers>;
}

const Bind = z.tuple([z.string().refine(isAbsolute), z.string().min(1), z.enum(['read', 'write', 'overlay'])]);
const KINDS: readonly string[] = ['bubblewrap', 'util-linux', 'none'] satisfies SandboxKind[];

/** Reads the command line of the server. Throws `usage` with what was wrong. */
export function readOptions(argv: readonly string[]): RepairOptions {
  const values = parse(argv);
  const sandbox = required('--sandbox', values.sandbox);
  if (!isKind(sandbox)) throw usage(`--sandbox is "${sandbox}"`, `Use one of: ${KINDS.join(', ')}.`);
  return {
    root: resolve(required('--root', values.root)),
    state: resolve(required('--state', values.state)),
    sandbox,
    searchPath: required('--search-path', values['search-path']),
    binds: (values.bind ?? []).map(readBind),
    checks: readChecks(values.checks),
    protect: values.protect ?? [],
    uppers: readUppers(values.uppers),
  };
}

function parse(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        root: { type: 'string' },
        state: { type: 'string' },
        sandbox: { type: 'string' },
        'search-path': { type: 'string' },
        bind: { type: 'string', multiple: true },
        checks: { type: 'string' },
        protect: { type: 'string', multiple: true },
        uppers: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error), 'See the README of the repair server.');
  }
}

/** A JSON array, because paths may hold any character; `to` may be relative to the workspace. Nothing is bound for writing. */
function readBind(text: string): SandboxBind {
  const bind = Bind.safeParse(parseJson(text));
  if (!bind.success) throw usage(`--bind '${text}' cannot be read`, 'Write it as ["/host/folder","folder","read"].');
  const [from, to, access] = bind.data;
  return { from, to: resolve(workspaceInside, to), access: access === 'overlay' ? 'overlay' : 'read' };
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
  if (value === undefined || value === '') throw usage(`${name} is missing`, 'See the README of the repair server.');
  return value;
}

function usage(message: string, hint: string): CapstanError {
  return new CapstanError('usage', `repair: ${message}.`, { hint });
}
