import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Approval, CapstanError, type EventRow, type RunRow, type SessionRow } from '@capstan/contracts';
import { readIfPresent, syncFolder, writeSynced } from './durable-file.ts';
import { parseStored } from './row.ts';
import { storageError } from './storage-error.ts';

/** What stays of a session that was removed: what people could see of it, free of known secrets. */
export interface SessionArchive {
  readonly session: SessionRow;
  readonly archivedAt: number;
  readonly runs: readonly RunRow[];
  readonly approvals: readonly Approval[];
  readonly events: readonly EventRow[];
}

type Line =
  | { readonly kind: 'session'; readonly format: 1; readonly archivedAt: number; readonly session: SessionRow }
  | { readonly kind: 'run'; readonly run: RunRow }
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'event'; readonly event: EventRow }
  | { readonly kind: 'end'; readonly events: number };

/** Files `<folder>/<session id>.jsonl.gz`: one JSON object a line, from the session to a line that counts the events. */
export class ArchiveFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whole and on the disk when it returns, and read back. Returns the bytes of the file. */
  write(archive: SessionArchive): number {
    const { session, archivedAt, runs, approvals, events } = archive;
    const lines: Line[] = [
      { kind: 'session', format: 1, archivedAt, session },
      ...runs.map((run): Line => ({ kind: 'run', run })),
      ...approvals.map((approval): Line => ({ kind: 'approval', approval })),
      ...events.map((event): Line => ({ kind: 'event', event })),
      { kind: 'end', events: events.length },
    ];
    const file = this.#fileOf(session.sessionId);
    const bytes = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    replaceFile(this.#folder, file, bytes);
    if (this.read(session.sessionId)?.events.length !== events.length) throw damaged(file);
    return statSync(file).size;
  }

  /** Undefined when there is none. Throws `storage-failed` when the file is damaged. */
  read(sessionId: string): SessionArchive | undefined {
    const file = this.#fileOf(sessionId);
    const bytes = readOrFail(file);
    if (bytes === undefined) return undefined;
    const lines = unpack(file, bytes);
    const first = lines[0];
    const last = lines.at(-1);
    const events = lines.flatMap((line) => (line.kind === 'event' ? [line.event] : []));
    if (first?.kind !== 'session' || last?.kind !== 'end' || last.events !== events.length) throw damaged(file);
    return {
      session: first.session,
      archivedAt: first.archivedAt,
      runs: lines.flatMap((line) => (line.kind === 'run' ? [line.run] : [])),
      approvals: lines.flatMap((line) => (line.kind === 'approval' ? [line.approval] : [])),
      events,
    };
  }

  /** Ids of the sessions that have one. */
  list(): string[] {
    try {
      return readdirSync(this.#folder)
        .filter((name) => name.endsWith(ending) && !name.startsWith('.'))
        .map((name) => name.slice(0, -ending.length))
        .sort();
    } catch {
      return []; // Nothing was archived yet.
    }
  }

  #fileOf(sessionId: string): string {
    return join(this.#folder, `${sessionId}${ending}`);
  }
}

const ending = '.jsonl.gz';

function replaceFile(folder: string, file: string, bytes: Uint8Array): void {
  const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeSynced(temporary, bytes);
    renameSync(temporary, file);
    syncFolder(folder);
  } catch (error) {
    throw storageError(error, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function readOrFail(file: string): Uint8Array | undefined {
  try {
    return readIfPresent(file);
  } catch (error) {
    throw storageError(error, file);
  }
}

function unpack(file: string, bytes: Uint8Array): Line[] {
  try {
    const text = gunzipSync(bytes).toString('utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [parseStored<Line>(line)]));
  } catch (cause) {
    throw damaged(file, cause);
  }
}

function damaged(file: string, cause?: unknown): CapstanError {
  return new CapstanError('storage-failed', `The archive of a session is damaged: ${file}`, {
    hint: 'Bring it back from a copy of the data folder; the audit trail still has the calls of that session',
    cause,
  });
}
