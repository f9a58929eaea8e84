import { nextSteps, type SessionOverview } from '@capstan/orchestration';
import { folderSize } from '@capstan/storage';

/** A session as `--json` prints it, in the list and alone. */
export function sessionJson(overview: SessionOverview, now: number) {
  const { session, state, task, runs, files, waiting, failure } = overview;
  return {
    session: session.sessionId,
    state,
    createdAt: session.createdAt,
    ageMs: now - session.createdAt,
    repository: session.repository,
    task: task ?? null,
    files: files ?? null,
    runs: runs.map(({ runId, status, lives, exitCode, createdAt }) => ({
      run: runId,
      status,
      lives,
      exitCode,
      createdAt,
    })),
    waiting: waiting.map(({ callId, tool, rule, summary, expiresAt }) => ({ callId, tool, rule, summary, expiresAt })),
    failure: failure ?? null,
    workspace: session.workspace,
    next: nextSteps(overview),
  };
}

/** With the bytes on disk, which take a walk over all files. */
export function sessionJsonWithSize(overview: SessionOverview, now: number) {
  return { ...sessionJson(overview, now), workspaceBytes: folderSize(overview.session.workspace) };
}
