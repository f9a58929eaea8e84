import { appendFileSync, existsSync, renameSync, statSync } from 'node:fs';
import type { Clock } from '@capstan/contracts';
import { printable } from './printable.ts';

const largestFile = 4 * 1024 * 1024;

/** A file with the words of server processes, for people: one line a message, without secrets, readable by its owner. */
export interface ServerLog {
  readonly path: string;
  /** Never throws: a log that cannot be written ends no run. */
  append(message: string): void;
}

/** Opens nothing before the first message. A file over 4 MiB is put aside as `<path>.old`, in place of the last one. */
export function serverLog(path: string, redact: (text: string) => string, clock: Clock): ServerLog {
  let writes = true;
  return {
    path,
    append: (message) => {
      if (!writes) return;
      const text = printable(redact(message)).replaceAll(/\s*\n\s*/gu, ' ');
      try {
        if (existsSync(path) && statSync(path).size > largestFile) renameSync(path, `${path}.old`);
        appendFileSync(path, `${new Date(clock.now()).toISOString()} ${text}\n`, { mode: 0o600 });
      } catch {
        writes = false;
      }
    },
  };
}
