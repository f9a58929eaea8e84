import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, RunStatus } from '@capstan/contracts';
import type { Storage } from '../../open-storage.ts';
import { sampleTask, takeLease } from '../../testing.ts';

/** A text that goes to the blob store. */
export const large = 'x'.repeat(20_000);

function runEnd(sessionId: string, runId: string, status: RunStatus, changes: Partial<EventBody> = {}): EventBody {
  const usage = { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 };
  const end = {
    type: 'run-end',
    runId,
    sessionId,
    status,
    exitCode: 0,
    answer: '',
    usage,
    files: ['a.js'],
    applied: false,
  };
  return { ...end, ...changes } as EventBody;
}

/** Expires far from now. */
const question = {
  callId: 'call',
  argumentDigest: 'digest',
  tool: 't',
  rule: 'r',
  summary: 's',
  expiresAt: Date.UTC(9000, 0),
};

/** A session with rows of every kind, a workspace, and a blob that only it has. */
export async function makeSession(
  storage: Storage,
  home: string,
  sessionId: string,
  status: RunStatus,
  applied = false,
) {
  const lease = await takeLease(storage, sessionId);
  const run = await storage.createRun(sessionId, sampleTask, lease);
  const session = storage.session(lease);
  await session.events.append('run-start', { type: 'run-start', runId: run.runId, task: sampleTask });
  await session.events.append('big', { type: 'attempt-fail', attempt: 1, reason: `${sessionId} ${large}` });
  await session.calls.begin('call', 'digest');
  await session.calls.complete('call', { content: [], isError: false, label: sampleTask.label });
  await session.audit.append({
    kind: 'decision',
    actor: 'ada',
    agent: 'coder',
    server: 's',
    tool: 't',
    callId: 'c',
    argumentDigest: 'd',
    arguments: '{}',
    decision: 'allow',
    rule: 'r',
  });
  const saver = await storage.checkpointer(lease);
  const checkpoint = {
    v: 4,
    id: '1',
    ts: '',
    channel_values: { a: large },
    channel_versions: { a: 1 },
    versions_seen: {},
  };
  await saver.put(
    { configurable: { thread_id: run.runId, checkpoint_ns: '' } },
    checkpoint,
    { source: 'loop', step: 0, parents: {} },
    { a: 1 },
  );
  if (status === 'waiting') {
    await session.approvals.request(question);
  }
  const failure = { level: 'fatal', code: 'denied', message: 'A person has to decide' } as const;
  const end = runEnd(sessionId, run.runId, status, { applied, ...(status === 'waiting' ? { failure } : {}) });
  await session.events.append(`run-end:${run.runId}:1`, end);
  await storage.updateRun(lease, run.runId, { status: status === 'waiting' ? 'waiting' : 'ended', exitCode: 0 });
  await storage.releaseLease(lease);
  const workspace = join(home, 'worktrees', sessionId);
  mkdirSync(join(workspace, 'tree'), { recursive: true });
  writeFileSync(join(workspace, 'workspace.json'), '{}');
  writeFileSync(join(workspace, 'tree', 'a.js'), large);
  return run;
}
