/** The streams of the person at the other end; a command writes to nothing else. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Standard output is a terminal: what tools and models wrote is made printable. */
  readonly interactive: boolean;
  /** Colour makes sense: see isStyled. */
  readonly styled: boolean;
  /** Width of the terminal; undefined when standard output is none. */
  readonly columns?: number | undefined;
  /** Asks and waits for one line; undefined when nobody can answer any more: input ended, or the signal was aborted. */
  readonly ask: ((question: string, signal?: AbortSignal) => Promise<string | undefined>) | undefined;
}

/** What a command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}
