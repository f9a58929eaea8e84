/** A server that is not ours, as a host starts it on standard input and output. */
export interface ServerCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Where relative paths start. Absolute. */
  readonly folder: string;
}
