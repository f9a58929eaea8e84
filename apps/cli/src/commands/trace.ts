import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { buildTrace, type TraceNode } from '@capstan/telemetry';
import { compose } from '../compose.ts';
import { traceDescription } from '../descriptions/trace.ts';
import { printable } from '../printable.ts';
import type { Settings } from '../settings.ts';
import { createStyle } from '../style.ts';
import type { CommandContext } from '../terminal.ts';
import { traceLines } from '../trace/trace-lines.ts';
import { tracePage } from '../trace/trace-page.ts';
import { findSession } from './find-session.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan trace`: what a session did and how long it took, from its event log. */
export async function trace(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const { operands, options } = readArguments(traceDescription, args);
  if (operands.file !== undefined && !options.html) throw wrongUse('A file is written with --html only.');
  if (options.html && options.json) throw wrongUse('A trace is written as --html or as --json, not as both.');
  const { terminal } = context;
  const composition = await compose(settings, context);
  try {
    const { storage, deps } = composition;
    const { sessionId } = await findSession(operands.session, storage, settings.currentFolder);
    // In this order: a process that ends in between is shown as at work, not as gone.
    const isDriven = await storage.isHeld(sessionId);
    const tree = buildTrace(await storage.readEvents(sessionId), { now: deps.clock.now(), isDriven });
    if (options.json) terminal.out(`${JSON.stringify(tree)}\n`);
    else if (options.html) writePage(tree, operands.file ?? `trace-${sessionId}.html`, settings, context);
    else
      for (const line of traceLines(tree, createStyle(terminal.styled), settings.program, terminal.columns))
        terminal.out(`${line}\n`);
    return 0;
  } finally {
    await composition.close();
  }
}

function writePage(tree: TraceNode, file: string, settings: Settings, { terminal }: CommandContext): void {
  const page = tracePage(tree, settings.program);
  if (file === '-') {
    terminal.out(page);
    return;
  }
  const path = resolve(settings.currentFolder, file);
  try {
    // For its owner alone, like the data folder that it was made from.
    writeFileSync(path, page, { mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CapstanError('usage', `The page cannot be written: ${reason}`, {
      hint: 'Name a file in a folder that is there and can be written, or - for standard output.',
      cause,
    });
  }
  terminal.out(`The page is ${printable(path)}\n`);
}

function wrongUse(message: string): CapstanError {
  return new CapstanError('usage', message, { hint: 'See capstan trace --help.' });
}
