import { type Approval, CapstanError, ExitCode } from '@capstan/contracts';
import { answerApproval } from '@capstan/orchestration';
import { askApproval } from '../ask-approval.ts';
import { nameProgram } from '../name-program.ts';
import { printable } from '../printable.ts';
import { reportFailure } from '../report-failure.ts';
import { createStyle } from '../style.ts';
import { chooseQuestions } from './choose-questions.ts';
import { closedQuestion } from './closed-question.ts';
import { contextOf, type Desk, questionRows } from './desk.ts';
import { questionLines } from './question-lines.ts';

export interface Answered {
  /** That of the command: 3 when a question is left without this person's answer. */
  readonly exitCode: number;
  /** A process drives the session on; otherwise it is to be resumed. */
  readonly goesOn: boolean;
}

/** Shows the questions of a session that are meant, one after the other, takes the answers, and says how it goes on. */
export async function answerQuestions(sessionId: string, call: string | undefined, desk: Desk): Promise<Answered> {
  const { composition, options } = desk;
  const { storage, deps } = composition;
  const choice = { sessionId, call, all: options.all, now: deps.clock.now() };
  const questions = chooseQuestions(await storage.readApprovals(sessionId), choice);
  const isNamed = call !== undefined || options.all;
  const answers: Answer[] = [];
  for (const question of questions) {
    const answer = await answerOne(question, isNamed, desk);
    if (answer !== undefined) answers.push(answer);
  }
  if (questions.length === 0 && !options.json)
    desk.context.terminal.out(`Nothing waits for an answer in ${sessionId}.\n`);
  const goesOn = answers.some((answer) => answer.goesOn) || (await storage.isHeld(sessionId));
  await tell(sessionId, answers, goesOn, desk);
  return { exitCode: answers.length < questions.length ? ExitCode.needsHuman : ExitCode.done, goesOn };
}

interface Answer {
  readonly approval: Approval;
  readonly goesOn: boolean;
}

async function tell(sessionId: string, answers: readonly Answer[], goesOn: boolean, desk: Desk): Promise<void> {
  const { composition, options, settings, context } = desk;
  const { out } = context.terminal;
  if (options.json) {
    const rows = await questionRows(
      answers.map(({ approval }) => approval),
      composition,
    );
    out(`${JSON.stringify({ session: sessionId, answers: rows, goesOn })}\n`);
  } else if (answers.length > 0 && goesOn) {
    out('The run goes on in its own process.\n');
  } else if (answers.length > 0 && !options.resume) {
    out(nameProgram(`Go on with it: capstan resume ${sessionId}\n`, settings.program));
  }
}

/** Undefined when there was no answer, or it came too late: the person is told. */
async function answerOne(question: Approval, isNamed: boolean, desk: Desk): Promise<Answer | undefined> {
  const { composition, options, context, settings } = desk;
  const { deps } = composition;
  const { terminal } = context;
  const decision = await decide(question, isNamed, desk);
  if (decision === undefined) {
    terminal.error('capstan: The question waits on.\n');
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
  reportFailure(closed.toFailure(), terminal, { json: false, program: settings.program });
  return undefined;
}

/** Asks in a terminal; elsewhere the command line itself is the answer, if it names the call. */
async function decide(
  question: Approval,
  isNamed: boolean,
  { composition, options, context }: Desk,
): Promise<'approved' | 'denied' | undefined> {
  const { ask, out, styled } = context.terminal;
  const now = composition.deps.clock.now();
  const log = await contextOf(question, composition);
  const text = questionLines(question, log, now, createStyle(styled)).join('\n');
  if (ask && !options.json && !options.deny) return askApproval(text, ask);
  if (!options.json) out(`${text}\n\n`);
  if (options.deny) return 'denied';
  if (isNamed) return 'approved';
  throw new CapstanError('usage', 'There is no terminal to ask in, so the call has to be named.', {
    hint: `capstan approve ${question.sessionId} ${question.callId}, or with --deny`,
  });
}
