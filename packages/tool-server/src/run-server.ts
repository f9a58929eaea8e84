import { toFailure } from '@capstan/contracts';
import { sentenceOf } from './answer-call.ts';
import { type GivenValues, helpText, type ProgramOptions, readCommandLine } from './command-line.ts';
import type { ServerOptions } from './prepare-server.ts';
import { serveTools } from './serve-tools.ts';

/** A server as a program: its own options, and how what it offers is opened from them. */
export interface ServerProgram<Options extends ProgramOptions> {
  readonly name: string;
  readonly version: string;
  /** What it is for, in one sentence: the first line of its help. */
  readonly summary: string;
  readonly options: Options;
  /** `argv` are its own options as they were written. Throws a `CapstanError` that says what is wrong with them. */
  open(given: GivenValues<Options>, argv: readonly string[]): Promise<Omit<ServerOptions, 'name' | 'version'>>;
}

/**
 * The main function of every server: reads the command line and serves over stdio, or over Streamable HTTP with `--http`.
 * What cannot be started is said in one sentence on standard error; then the process ends with exit code 2.
 */
export async function runServer<const Options extends ProgramOptions>(
  program: ServerProgram<Options>,
  host: Pick<NodeJS.Process, 'argv' | 'env'>,
): Promise<void> {
  try {
    await start(program, host);
  } catch (thrown) {
    process.stderr.write(`${sentenceOf(toFailure(thrown))}\n`);
    process.exit(2);
  }
}

async function start<Options extends ProgramOptions>(
  program: ServerProgram<Options>,
  host: Pick<NodeJS.Process, 'argv' | 'env'>,
): Promise<void> {
  const { name, version, summary, options } = program;
  const line = readCommandLine(name, options, host.argv.slice(2));
  if (line.kind === 'help') process.stdout.write(helpText(name, summary, options));
  if (line.kind === 'version') process.stdout.write(`${name} ${version}\n`);
  if (line.kind !== 'serve') return;
  const offer = { name, version, ...(await program.open(line.values as GivenValues<Options>, line.argv)) };
  if (line.transport.kind === 'stdio') return serveTools(offer);
  const { serveHttp } = await import('./serve-http.ts');
  await serveHttp(offer, line.transport, host.env.CAPSTAN_SERVER_TOKEN);
}
