import type { ErrorLevel } from './error.ts';

/** A failure of the machine and not of the program: what a person reads, and what to do about it. */
export interface SystemFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly level: ErrorLevel;
  /** What it happened to, when the system says so. */
  readonly path?: string;
}

type Kind = Omit<SystemFault, 'code' | 'path'>;

const goesOn = 'a run that had begun goes on with `capstan resume SESSION`';
const full: Kind = {
  message: 'The disk is full',
  hint: `Nothing that was done is lost. Free some space there (\`capstan gc\` may help); ${goesOn}`,
  level: 'retryable',
};
const tooMany: Kind = {
  message: 'This process may not open more files',
  hint: `Nothing that was done is lost. Raise the limit (\`ulimit -n 1024\`); ${goesOn}`,
  level: 'retryable',
};
const refused: Kind = {
  message: 'This user may not do that',
  hint: 'Check the owner and the permissions; CAPSTAN_HOME sets another data folder',
  level: 'fatal',
};

const kinds: Readonly<Record<string, Kind>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: { ...full, message: 'A file may not grow further' },
  EMFILE: tooMany,
  ENFILE: tooMany,
  EACCES: refused,
  EPERM: refused,
  EROFS: {
    message: 'The disk or the folder is read-only',
    hint: 'Make it writable; CAPSTAN_HOME sets another data folder',
    level: 'fatal',
  },
  EIO: { message: 'Reading or writing failed', hint: 'Check the disk', level: 'fatal' },
};

/** The fault that a thrown value stands for; undefined when it is of another kind. */
export function systemFault(thrown: unknown): SystemFault | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code = codeOf(thrown);
  const kind = code !== undefined && Object.hasOwn(kinds, code) ? kinds[code] : undefined;
  if (code === undefined || kind === undefined) return undefined;
  const path = 'path' in thrown && typeof thrown.path === 'string' ? { path: thrown.path } : {};
  return { code, ...kind, ...path };
}

function codeOf(thrown: Error): string | undefined {
  // Node's module loader says it in words.
  if (thrown.message.includes('too many open files')) return 'EMFILE';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** The same for a failure that came from another process as a value: known by its sentence. */
export function faultOfFailure({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): SystemFault | undefined {
  if (code !== 'storage-failed') return undefined;
  const found = Object.entries(kinds).find(([, kind]) => message.startsWith(kind.message));
  return found === undefined ? undefined : { code: found[0], ...found[1] };
}
