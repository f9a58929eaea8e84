import type { RunOutcome } from '@capstan/agent';
import {
  CapstanError,
  type EventBody,
  ExitCode,
  type Failure,
  type RunRow,
  type SessionStorage,
  toFailure,
} from '@capstan/contracts';
import type { ApplyOutcome, SessionWorkspace } from '@capstan/workspace';
import { applyAndRecord } from './apply-session.ts';
import type { OrchestrationDeps } from './deps.ts';
import { isVerified } from './is-verified.ts';

export type RunEndBody = Extract<EventBody, { type: 'run-end' }>;

/** Applies the diff where this run was granted it and it is verified, and says how the run ended. Safe to do again after a crash. */
export async function finishRun(
  run: RunRow,
  outcome: RunOutcome,
  workspace: SessionWorkspace,
  session: SessionStorage,
  deps: Pick<OrchestrationDeps, 'actor' | 'storage'>,
): Promise<RunEndBody> {
  const { changes } = await workspace.diff();
  const files = changes.map((change) => change.path);
  const end = { ...endOf(run, outcome), files };
  if (end.status !== 'done' || !run.task.apply) return end;
  if (!isVerified(end)) return afterApply(end, { kind: 'unverified', reason: end.verification?.reason }, run.sessionId);
  const { actor, storage } = deps;
  const grant = { reviewed: false, actor, rule: 'apply-grant', auditKey: storage.auditKey } as const;
  const applied = await applyAndRecord(workspace, session, grant);
  return afterApply(end, applied, run.sessionId);
}

function endOf(run: RunRow, outcome: RunOutcome): RunEndBody {
  const common = { type: 'run-end' as const, runId: run.runId, sessionId: run.sessionId, files: [], applied: false };
  if (outcome.kind === 'waiting') {
    return {
      ...common,
      status: 'waiting',
      exitCode: ExitCode.needsHuman,
      answer: '',
      failure: waitingFailure(
        outcome.waiting.map((question) => question.summary.split('\n', 1)[0] ?? question.tool),
        run.sessionId,
      ),
      usage: outcome.usage,
    };
  }
  return {
    ...common,
    status: outcome.status,
    exitCode: outcome.exitCode,
    answer: outcome.answer,
    ...(outcome.failure ? { failure: outcome.failure } : {}),
    ...(outcome.verification ? { verification: outcome.verification } : {}),
    usage: outcome.usage,
  };
}

/** The end of a life of a run that a person or the system stopped. */
export function stoppedEnd(run: RunRow, usage: RunEndBody['usage'], reason: unknown): RunEndBody {
  const { runId, sessionId } = run;
  return {
    type: 'run-end',
    runId,
    sessionId,
    status: 'waiting',
    exitCode: ExitCode.needsHuman,
    answer: '',
    failure: {
      level: 'fatal',
      code: 'stopped',
      message: `The run was ${reason instanceof Error ? reason.message : 'stopped'}; nothing is lost.`,
      hint: `Go on from here: capstan resume ${sessionId}`,
    },
    usage,
    files: [],
    applied: false,
  };
}

/** The end of a life of a run that could not go on: what was thrown, as a value. */
export function failedEnd(run: RunRow, usage: RunEndBody['usage'], thrown: unknown): RunEndBody {
  const { runId, sessionId } = run;
  const exitCode = thrown instanceof CapstanError ? thrown.exitCode : ExitCode.environment;
  const failure = toFailure(thrown);
  return {
    type: 'run-end',
    runId,
    sessionId,
    status: 'failed',
    exitCode,
    answer: '',
    failure,
    usage,
    files: [],
    applied: false,
  };
}

function waitingFailure(questions: readonly string[], sessionId: string): Failure {
  return {
    level: 'fatal',
    code: 'denied',
    message: `A person has to decide: ${questions.join('; ')}`,
    hint: `Answer from any terminal: capstan approve ${sessionId} --resume`,
  };
}

/** Changes that no check bears out are applied only by a person who says so; `reason` is what the checks said. */
interface Unverified {
  readonly kind: 'unverified';
  readonly reason?: string | undefined;
}

const notVerified = 'Not applied: the last run of this session did not end with its changes verified.';

function afterApply(end: RunEndBody, applied: ApplyOutcome | Unverified, sessionId: string): RunEndBody {
  if (applied.kind === 'applied' || applied.kind === 'present') return { ...end, applied: true };
  if (applied.kind === 'nothing') return end;
  const { failure, exitCode } = applyFailure(applied, sessionId);
  return { ...end, status: applied.kind === 'read-only' ? 'failed' : 'waiting', exitCode, failure };
}

/** What a person is told when an apply did not happen, and the exit code for it. */
export function applyFailure(
  applied: Exclude<ApplyOutcome, { kind: 'applied' | 'present' | 'nothing' }> | Unverified,
  sessionId: string,
): { failure: Failure; exitCode: number } {
  const fatal = { level: 'fatal' } as const;
  switch (applied.kind) {
    case 'unverified':
      return {
        exitCode: ExitCode.needsHuman,
        failure: {
          ...fatal,
          code: 'not-verified',
          message: applied.reason === undefined ? notVerified : `${notVerified} ${applied.reason}`,
          hint: `Look at them: capstan diff ${sessionId}; then, if you want them all the same: capstan apply ${sessionId} --unverified`,
        },
      };
    case 'held':
      return {
        exitCode: ExitCode.needsHuman,
        failure: {
          ...fatal,
          code: 'held-for-review',
          message: `Not applied: these files can run code or steer tools: ${applied.files.join(', ')}`,
          hint: `Look at them with \`capstan diff ${sessionId}\`, then: capstan apply ${sessionId} --reviewed`,
        },
      };
    case 'moved':
      return {
        exitCode: ExitCode.needsHuman,
        failure: {
          ...fatal,
          code: 'checkout-moved',
          message: `Not applied: the checkout has changed in the same places: ${applied.files.join(', ')}`,
          hint: `The diff is kept: capstan diff ${sessionId}. Merge it by hand, or start a new run.`,
        },
      };
    case 'read-only':
      return {
        exitCode: ExitCode.environment,
        failure: {
          ...fatal,
          code: 'checkout-read-only',
          message: `Not applied: the checkout cannot be written (${applied.reason}).`,
          hint: `Make it writable, then: capstan apply ${sessionId}`,
        },
      };
  }
}
