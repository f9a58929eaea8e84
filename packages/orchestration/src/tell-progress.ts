import type { SessionStorage } from '@capstan/contracts';
import type { OpenProgress } from '@capstan/workspace';

/** Opening is silent for so long; then it says how far it is, again and again. */
const everyMilliseconds = 3_000;

/** Puts into the log how far the opening of a large workspace is. `end` waits for what is being written. */
export function tellProgress(
  events: Pick<SessionStorage['events'], 'append'>,
  milliseconds = everyMilliseconds,
): { readonly update: (progress: OpenProgress) => void; readonly end: () => Promise<void> } {
  let latest: OpenProgress | undefined;
  let written = Promise.resolve();
  const tell = async (progress: OpenProgress) => {
    const key = `workspace-progress:${progress.phase}:${progress.files}`;
    // A row that cannot be written is missed by nobody; the next row that matters says why.
    await events.append(key, { type: 'workspace-progress', ...progress }).catch(() => undefined);
  };
  const timer = setInterval(() => {
    const progress = latest;
    if (progress !== undefined) written = written.then(() => tell(progress));
  }, milliseconds);
  return {
    update: (progress) => {
      latest = progress;
    },
    end: () => {
      clearInterval(timer);
      return written;
    },
  };
}
