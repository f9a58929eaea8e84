import { type Approval, CapstanError, ExitCode } from '@capstan/contracts';
import { answerApproval, resumeRun } from '@capstan/orchestration';
import { chooseQuestions } from '../approvals/choose-questions.ts';
import { closedQuestion } from '../approvals/closed-question.ts';
import { questionContext } from '../approvals/question-context.ts';
import { questionLine, questionLines } from '../approvals/question-lines.ts';
import { askApproval } from '../ask-approval.ts';
import { type Composition, compose } from '../compose.ts';
import { approveDescription } from '../descriptions/approve.ts';
import { nameProgram } from '../name-program.ts';
import { printable } from '../printable.ts';
import { reportFailure } from '../report-failure.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

type Options = ReturnType<typeof readApproveArguments>['options'];

interface Desk {
  readonly composition: Composition;
  readonly options: Options;
  readonly call: string | undefined;
  readonly settings: Settings;
  readonly context: CommandContext;
}

/** `capstan approve`: lists what waits for an answer, and answers it, from any terminal. */
export async function approve(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readApproveArguments(args);
  const composition = await compose(settings, context);
  let next: { readonly exitCode: number; readonly resume?: string };
  try {
    const desk = { composition, options, call: operands.call, settings, context };
    next = operands.session === undefined ? await listAll(desk) : await answerIn(operands.session, desk);
  } finally {
    await composition.close();
  }
  const { resume } = next;
  if (resume === undefined) return next.exitCode;
  return driveAndFollow(settings, context, { json: false }, async () => (deps) => resumeRun(resume, deps));
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

async function listAll({ composition, options, settings, context }: Desk): Promise<{ exitCode: number }> {
  const { storage, deps } = composition;
  const { terminal } = context;
  const style = createStyle(terminal.styled);
  const waiting = (await storage.readApprovals()).filter(({ status }) => status === 'waiting');
  if (options.json) {
    terminal.out(
      `${JSON.stringify({ waiting: await Promise.all(waiting.map((one) => withContext(one, composition))) })}\n`,
    );
  } else if (waiting.length === 0) {
    terminal.out('Nothing waits for an answer.\n');
  } else {
    for (const approval of waiting) {
      const body = printable(approval.summary).split('\n');
      const lines = [questionLine(approval, deps.clock.now(), style), ...body.map((line) => `    ${line}`), ''];
      for (const line of lines) terminal.out(`${line}\n`);
    }
    terminal.out(nameProgram('Answer: capstan approve SESSION\n', settings.program));
  }
  return { exitCode: ExitCode.done };
}

async function withContext(approval: Approval, { storage }: Composition) {
  const { call, labels } = questionContext(approval, await storage.readEvents(approval.sessionId));
  return { ...approval, arguments: call?.arguments ?? null, taint: call?.taint ?? null, labels };
}

interface Told {
  readonly approval: Approval;
  readonly goesOn: boolean;
}

async function answerIn(word: string, desk: Desk): Promise<{ exitCode: number; resume?: string }> {
  const { composition, options, call, settings, context } = desk;
  const { storage, deps } = composition;
  const { sessionId } = await findSession(word, storage, settings.currentFolder);
  const now = deps.clock.now();
  const questions = chooseQuestions(await storage.readApprovals(sessionId), { sessionId, call, all: options.all, now });
  const told: Told[] = [];
  let exitCode: number = ExitCode.done;
  for (const question of questions) {
    const answer = await answerOne(question, desk);
    if (answer === undefined) exitCode = ExitCode.needsHuman;
    else told.push(answer);
  }
  const goesOn = told.some((answer) => answer.goesOn) || (await storage.isHeld(sessionId));
  if (options.json) {
    const answers = await Promise.all(told.map(({ approval }) => withContext(approval, composition)));
    context.terminal.out(`${JSON.stringify({ session: sessionId, answers, goesOn })}\n`);
  } else {
    const nothing = questions.length === 0 ? `Nothing waits for an answer in ${sessionId}.\n` : '';
    const next = goesOn ? 'The run goes on in its own process.' : `Go on with it: capstan resume ${sessionId}`;
    const isNextSaid = told.length > 0 && !(options.resume && !goesOn);
    context.terminal.out(nothing + (isNextSaid ? `${nameProgram(next, settings.program)}\n` : ''));
  }
  const isToResume = options.resume && !goesOn && exitCode === ExitCode.done;
  return { exitCode, ...(isToResume ? { resume: sessionId } : {}) };
}

/** Shows a question and takes the answer; undefined when there was none, or it came too late. */
async function answerOne(question: Approval, desk: Desk): Promise<Told | undefined> {
  const { composition, options, context } = desk;
  const { storage, deps } = composition;
  const { terminal } = context;
  const now = deps.clock.now();
  const log = questionContext(question, await storage.readEvents(question.sessionId));
  const text = questionLines(question, log, now, createStyle(terminal.styled)).join('\n');
  const decision = await decide(question, text, desk);
  if (decision === undefined) {
    terminal.error('capstan: Nothing was answered; the question waits on.\n');
    return undefined;
  }
  const answer = await answerApproval(question, decision, deps);
  if (answer.kind === 'answered') {
    const { approval, goesOn } = answer;
    const verb = decision === 'approved' ? 'Approved' : 'Refused';
    if (!options.json) terminal.out(`${verb}: ${printable(`${approval.tool} (${approval.callId})`)}\n`);
    return { approval, goesOn };
  }
  const closed = closedQuestion(answer.kind === 'closed' ? answer.approval : question, deps.clock.now());
  if (options.json) throw closed;
  reportFailure(closed.toFailure(), terminal, { json: false, program: desk.settings.program });
  return undefined;
}

async function decide(question: Approval, text: string, desk: Desk): Promise<'approved' | 'denied' | undefined> {
  const { options, call, context } = desk;
  const { ask, out } = context.terminal;
  if (ask && !options.json && !options.deny) return askApproval(text, ask);
  if (!options.json) out(`${text}\n\n`);
  if (options.deny) return 'denied';
  if (call !== undefined || options.all) return 'approved';
  throw new CapstanError('usage', 'There is no terminal to ask in, so the call has to be named.', {
    hint: `capstan approve ${question.sessionId} ${question.callId}, or with --deny`,
  });
}
