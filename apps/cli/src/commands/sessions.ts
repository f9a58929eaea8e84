import type { SessionRow } from '@capstan/contracts';
import { readSessionOverview, type SessionOverview } from '@capstan/orchestration';
import { type Composition, compose } from '../compose.ts';
import { sessionsDescription } from '../descriptions/sessions.ts';
import { sessionJson, sessionJsonWithSize } from '../session-json.ts';
import { sessionLines } from '../session-lines.ts';
import { sessionTable } from '../session-table.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext, Terminal } from '../terminal.ts';
import { checkoutAt } from './checkout-at.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

/** So many are listed without --all: what one looks for is mostly new. */
const mostListed = 30;

/** `capstan sessions`: a list of sessions, or one of them with what to do next. */
export async function sessions(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readArguments(sessionsDescription, args);
  const composition = await compose(settings, context);
  try {
    if (operands.session === undefined) await list(composition, settings, context.terminal, options);
    else await show(operands.session, composition, settings, context.terminal, options);
    return 0;
  } finally {
    await composition.close();
  }
}

async function list(
  { storage, deps }: Composition,
  { currentFolder, program }: Settings,
  terminal: Terminal,
  { all, json }: { readonly all: boolean; readonly json: boolean },
): Promise<void> {
  const everyone = (await storage.listSessions()).toReversed();
  const checkout = all ? undefined : await checkoutAt(currentFolder);
  const here = everyone.filter((row) => checkout === undefined || row.repository === checkout);
  const listed = all ? here : here.slice(0, mostListed);
  const overviews: SessionOverview[] = [];
  for (const session of listed) overviews.push(await readSessionOverview(session, storage));
  if (json) {
    const now = deps.clock.now();
    terminal.out(`${JSON.stringify({ sessions: overviews.map((overview) => sessionJson(overview, now)) })}\n`);
    return;
  }
  const options = {
    now: deps.clock.now(),
    style: createStyle(terminal.styled),
    columns: terminal.columns,
    ids: everyone.map((row) => row.sessionId),
  };
  if (overviews.length > 0) for (const line of sessionTable(overviews, options)) terminal.out(`${line}\n`);
  const note = noteOf({ everyone, here, listed, checkout }, program);
  if (note !== undefined) terminal.out(`${note}\n`);
}

interface Lists {
  readonly everyone: readonly SessionRow[];
  readonly here: readonly SessionRow[];
  readonly listed: readonly SessionRow[];
  readonly checkout: string | undefined;
}

/** What is not in the list. */
function noteOf({ everyone, here, listed, checkout }: Lists, program: string): string | undefined {
  const hidden = everyone.length - listed.length;
  if (everyone.length === 0) return `There is no session yet. Start one: ${program} run "make the failing tests pass"`;
  if (here.length === 0) return `There is no session of ${checkout} yet. Others: ${program} sessions --all`;
  return hidden === 0 ? undefined : `${hidden} more: ${program} sessions --all`;
}

async function show(
  word: string,
  { storage, deps }: Composition,
  { currentFolder, program }: Settings,
  terminal: Terminal,
  { json }: { readonly json: boolean },
): Promise<void> {
  const session = await findSession(word, storage, currentFolder);
  const overview = await readSessionOverview(session, storage);
  const now = deps.clock.now();
  if (json) terminal.out(`${JSON.stringify(sessionJsonWithSize(overview, now))}\n`);
  else
    for (const line of sessionLines(overview, { now, program, style: createStyle(terminal.styled) }))
      terminal.out(`${line}\n`);
}
