import { CapstanError, type EventRow, toFailure } from '@capstan/contracts';
import type { OrchestrationDeps, RunEnd } from '@capstan/orchestration';
import { askApproval } from '../ask-approval.ts';
import { type Composition, compose } from '../compose.ts';
import { describeEvent } from '../describe-event.ts';
import { followLog, type LogFollower } from '../follow-log.ts';
import { printable } from '../printable.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext, Terminal } from '../terminal.ts';

interface Options {
  readonly json: boolean;
}

/**
 * Reads the arguments by `prepare`, opens everything, and drives while showing the session's log as it grows. The exit code
 * is that of the run. With `--json` the last line is `run-end` in every case, wrong use too.
 */
export async function driveAndFollow(
  settings: Settings,
  context: CommandContext,
  { json }: Options,
  prepare: () => Promise<(deps: OrchestrationDeps) => Promise<RunEnd>>,
): Promise<number> {
  const show = showRow(context.terminal, json, settings.program);
  let follower: LogFollower | undefined;
  let composition: Composition | undefined;
  try {
    const drive = await prepare();
    const opened = await compose(settings, context);
    composition = opened;
    const end = await drive({
      ...opened.deps,
      ...approverIn(context.terminal, json, () => follower?.catchUp()),
      onSession: (sessionId) => {
        follower = followLog(opened.storage, sessionId, show);
      },
    });
    await follower?.finish();
    if (json) lastLineIsRunEnd(context.terminal, follower, end);
    return end.exitCode;
  } catch (thrown) {
    await follower?.finish();
    if (json) context.terminal.out(`${JSON.stringify(endOfFailure(thrown, follower?.sessionId))}\n`);
    throw thrown;
  } finally {
    await composition?.close();
  }
}

/** Asks at this terminal, if there is one, after what led to the question has been shown: it has the question in full. */
function approverIn(
  { ask }: Terminal,
  json: boolean,
  catchUp: () => Promise<void> | undefined,
): Pick<OrchestrationDeps, 'approver'> {
  if (!ask) return {};
  return {
    approver: async ({ tool, summary }, signal) => {
      await catchUp();
      return askApproval(json ? printable(`${tool}: ${summary}`) : '', ask, signal);
    },
  };
}

function showRow(terminal: Terminal, json: boolean, program: string): (row: EventRow) => void {
  const style = createStyle(terminal.styled);
  return (row) => {
    if (json) terminal.out(`${JSON.stringify(jsonLine(row))}\n`);
    else for (const line of describeEvent(row, style, program)) terminal.out(`${line}\n`);
  };
}

function jsonLine({ sessionId, number, at, body }: EventRow): Record<string, unknown> {
  return { session: sessionId, number, at, ...body };
}

/** A run that had ended before is shown as it was: then its `run-end` is not the newest row. */
function lastLineIsRunEnd(terminal: Terminal, follower: LogFollower | undefined, end: RunEnd): void {
  if (follower?.lastType !== 'run-end') terminal.out(`${JSON.stringify(end)}\n`);
}

function endOfFailure(thrown: unknown, sessionId: string | undefined) {
  const exitCode = thrown instanceof CapstanError ? thrown.exitCode : 4;
  const failure = toFailure(thrown);
  return {
    type: 'run-end',
    sessionId: sessionId ?? null,
    status: 'failed',
    exitCode,
    failure,
    files: [],
    applied: false,
  };
}
