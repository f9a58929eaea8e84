import { createInterface } from 'node:readline/promises';

export interface AskOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Aborted when an answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** Ctrl-C, which a terminal hands to the one who reads from it. */
  readonly onInterrupt: () => void;
}

/** Asks for one line. Undefined when none comes any more: input ended, or the signal was aborted; the line is ended then. */
export async function askInTerminal(question: string, options: AskOptions): Promise<string | undefined> {
  const { input, output, signal, onInterrupt } = options;
  const reader = createInterface({ input, output });
  reader.on('SIGINT', onInterrupt);
  // A question whose input ends is never answered by the reader itself.
  const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
  const answered = reader.question(question, { signal }).catch(() => undefined);
  try {
    const answer = await Promise.race([answered, closed]);
    // The reader ends the line itself when it is told to stop.
    if (answer === undefined && !signal.aborted) output.write('\n');
    return answer;
  } finally {
    reader.close();
  }
}
