import type { SteadyClock } from '@capstan/contracts';
import type { ToolContext } from '@capstan/tool-server';

const gapMs = 1000;

/** Sends the last line of an output to the caller, at most once a second: progress is for people who wait. */
export function progressSender(context: ToolContext, clock: SteadyClock, id: string): (line: () => string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (line) => {
    const now = clock.steady();
    if (now - last < gapMs) return;
    last = now;
    void context.progress(`${id}: ${line().slice(0, 200).toWellFormed()}`);
  };
}
