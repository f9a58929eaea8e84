import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CapstanError, type SandboxBind, type SandboxKind } from '@capstan/contracts';

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
}

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
      },
    });
    return values;
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error), 'See the README of the repair server.');
  }
}

/** `from:to:read`; `to` may be relative to the workspace. Nothing is bound for writing. */
function readBind(text: string): SandboxBind {
  const [from = '', to = '', access, ...more] = text.split(':');
  if (!isAbsolute(from) || to === '' || more.length > 0 || (access !== 'read' && access !== 'write')) {
    throw usage(`--bind "${text}" cannot be read`, 'Write it as /host/folder:/workspace/folder:read.');
  }
  return { from, to: resolve(workspaceInside, to), access: 'read' };
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
