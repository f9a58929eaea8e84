import { type Failure, faultOfFailure, toFailure } from '@capstan/contracts';
import type { Refusal } from '@capstan/workspace';
import type { Change } from './change.ts';
import { absent, type ChangeJournal, type ChangeRecord } from './change-record.ts';

/** The workspace as this server touches it: a port, so that tests can let it fail at any point. */
export interface WorkspaceFiles {
  /** The sha256 of a file, or "absent". */
  digest(path: string): Promise<string | Refusal>;
  write(
    path: string,
    bytes: Uint8Array,
    expected: string,
    token: string,
    mode: number | undefined,
  ): Promise<Refusal | undefined>;
  remove(path: string, expected: string): Promise<Refusal | undefined>;
}

export interface CommitDeps {
  readonly files: WorkspaceFiles;
  readonly journal: ChangeJournal;
}

type RecordedChange = ChangeRecord['changes'][number];
export type Reply = ChangeRecord['reply'];

/**
 * Makes changes all or nothing. Contents and intent are durable before the first file is touched; if one file cannot be
 * changed, those before it are put back. After a crash `resumeChanges` brings the same call to its end.
 */
export async function commitChanges(
  deps: CommitDeps,
  call: Pick<ChangeRecord, 'id' | 'tool' | 'argumentDigest'>,
  changes: readonly Change[],
  reply: Reply,
): Promise<Refusal | undefined> {
  const recorded: RecordedChange[] = [];
  for (const { path, before, after, mode } of changes) {
    const entry = {
      path,
      before: before === undefined ? absent : await deps.journal.keep(before.bytes),
      after: after === undefined ? absent : await deps.journal.keep(after),
    };
    const kept = before?.mode ?? mode;
    recorded.push(kept === undefined ? entry : { ...entry, mode: kept });
  }
  const record: ChangeRecord = { ...call, changes: recorded, reply };
  await deps.journal.save(record);
  const done: RecordedChange[] = [];
  for (const change of recorded) {
    const refusal = await applyOne(deps, record.id, change);
    if (refusal !== undefined) return takeBack(deps, record, done, refusal);
    done.push(change);
  }
  await deps.journal.finish(record.id);
  return undefined;
}

/**
 * The same call again: gives the recorded reply, after completing what a crash left undone. A file that is neither as it
 * was nor as it should be means that the outcome cannot be known; then nothing is touched.
 */
export async function resumeChanges(
  deps: CommitDeps,
  { record, done }: { readonly record: ChangeRecord; readonly done: boolean },
  argumentDigest: string,
): Promise<Reply | Refusal> {
  if (record.argumentDigest !== argumentDigest) {
    return unknownOutcome(
      'This call id was used before with other arguments.',
      'A person has to decide; nothing was changed now.',
    );
  }
  if (done) return record.reply;
  const states = await Promise.all(
    record.changes.map(async (change) => ({ change, now: await deps.files.digest(change.path) })),
  );
  const strange = states.filter(({ change, now }) => now !== change.before && now !== change.after);
  if (strange.length > 0) {
    const paths = strange.map(({ change }) => change.path).join(', ');
    return unknownOutcome(
      `An earlier process died in the middle of this call, and since then somebody else changed: ${paths}.`,
      'A person has to look at these files; nothing was changed now.',
    );
  }
  for (const { change, now } of states) {
    const refusal = now === change.after ? undefined : await applyOne(deps, record.id, change);
    if (refusal !== undefined && passes(refusal)) return refusal;
    if (refusal !== undefined)
      return unknownOutcome(refusal.failure.message, 'A person has to look at the files of this call.');
  }
  await deps.journal.finish(record.id);
  return record.reply;
}

/** The disk is full, or the process at a limit: nothing about the call is wrong. */
function passes({ failure }: Refusal): boolean {
  return faultOfFailure(failure)?.level === 'retryable';
}

async function applyOne(
  { files, journal }: CommitDeps,
  token: string,
  change: RecordedChange,
): Promise<Refusal | undefined> {
  try {
    if (change.before === change.after) return undefined;
    if (change.after === absent) return await files.remove(change.path, change.before);
    return await files.write(change.path, await journal.content(change.after), change.before, token, change.mode);
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

async function takeBack(
  deps: CommitDeps,
  record: ChangeRecord,
  done: readonly RecordedChange[],
  reason: Refusal,
): Promise<Refusal> {
  for (const change of done.toReversed()) {
    const back = { ...change, before: change.after, after: change.before };
    const refusal = await applyOne(deps, record.id, back);
    // With a full disk nothing can be put back: the record stays, and the same call completes it later.
    if (refusal !== undefined && passes(refusal)) return refusal;
    if (refusal !== undefined) {
      return unknownOutcome(
        `${reason.failure.message} ${JSON.stringify(change.path)} was changed already and could not be put back: ${refusal.failure.message}`,
        'A person has to look at the files of this call.',
      );
    }
  }
  await deps.journal.discard(record.id);
  return reason;
}

function unknownOutcome(message: string, hint: string): { failure: Failure } {
  return { failure: { level: 'fatal', code: 'unknown-outcome', message, hint } };
}
