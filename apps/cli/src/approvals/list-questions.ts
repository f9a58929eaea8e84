import { nameProgram } from '../name-program.ts';
import { printable } from '../printable.ts';
import { createStyle } from '../style.ts';
import { type Desk, questionRows } from './desk.ts';
import { questionLine } from './question-lines.ts';

/** Lists what waits for an answer, in one session or in all. */
export async function listQuestions(desk: Desk, sessionId?: string): Promise<void> {
  const { composition, options, settings, context } = desk;
  const { storage, deps } = composition;
  const { out, styled } = context.terminal;
  const waiting = (await storage.readApprovals(sessionId)).filter(({ status }) => status === 'waiting');
  if (options.json) {
    out(`${JSON.stringify({ waiting: await questionRows(waiting, composition) })}\n`);
    return;
  }
  if (waiting.length === 0) out('Nothing waits for an answer.\n');
  for (const approval of waiting) {
    out(`${questionLine(approval, deps.clock.now(), createStyle(styled))}\n`);
    for (const line of printable(approval.summary).split('\n')) out(`    ${line}\n`);
    out('\n');
  }
  if (waiting.length > 0) out(nameProgram('Answer: capstan approve SESSION\n', settings.program));
}
