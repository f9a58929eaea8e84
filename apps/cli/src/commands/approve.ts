import { CapstanError, ExitCode } from '@capstan/contracts';
import { resumeRun } from '@capstan/orchestration';
import { answerQuestions } from '../approvals/answer-questions.ts';
import type { Desk } from '../approvals/desk.ts';
import { listQuestions } from '../approvals/list-questions.ts';
import { compose } from '../compose.ts';
import { approveDescription } from '../descriptions/approve.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan approve`: lists what waits for an answer, and answers it, from any terminal. */
export async function approve(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readApproveArguments(args);
  const composition = await compose(settings, context);
  const desk: Desk = { composition, settings, context, options };
  let next: { readonly exitCode: number; readonly resume?: string };
  try {
    next = await work(operands, desk);
  } finally {
    await composition.close();
  }
  const { resume } = next;
  if (resume === undefined) return next.exitCode;
  return driveAndFollow(settings, context, { json: false }, async () => (deps) => resumeRun(resume, deps));
}

type Operands = ReturnType<typeof readApproveArguments>['operands'];

async function work(operands: Operands, desk: Desk): Promise<{ exitCode: number; resume?: string }> {
  const { composition, settings, options } = desk;
  if (operands.session === undefined) {
    await listQuestions(desk);
    return { exitCode: ExitCode.done };
  }
  const { sessionId } = await findSession(operands.session, composition.storage, settings.currentFolder);
  const isAnswer = operands.call !== undefined || options.all || options.deny;
  if (options.json && !isAnswer) {
    await listQuestions(desk, sessionId);
    return { exitCode: ExitCode.done };
  }
  const { exitCode, goesOn } = await answerQuestions(sessionId, operands.call, desk);
  const isToResume = options.resume && !goesOn && exitCode === ExitCode.done;
  return { exitCode, ...(isToResume ? { resume: sessionId } : {}) };
}

function readApproveArguments(args: readonly string[]) {
  const { operands, options } = readArguments(approveDescription, args);
  const wrong = (message: string) => new CapstanError('usage', message, { hint: 'See capstan approve --help.' });
  if (operands.session === undefined && (options.deny || options.all || options.resume)) {
    throw wrong('Say which session is meant.');
  }
  if (operands.call !== undefined && options.all) throw wrong('Name a call, or take --all of them; not both.');
  if (options.resume && options.json) throw wrong('With --json, resume afterwards: capstan resume SESSION --json.');
  return { operands, options };
}
