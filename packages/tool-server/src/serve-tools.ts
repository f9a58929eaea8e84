import { Console } from 'node:console';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer } from './build-server.ts';
import { prepareServer, type ServerOptions } from './prepare-server.ts';
import { standBefore } from './stdio-front.ts';

/** The longest line that is read: more than a server sends, and than hosts send as a rule. Bytes. */
const lineLimit = 12 * 1024 * 1024;

/**
 * Serves over standard input and output in every protocol version that the SDK knows; resolves when the server
 * listens. The process ends at once when its input ends, in the middle of a call too: a host that died leaves nothing.
 * A line over 12 MiB ends it with exit code 1 and a sentence on standard error: nobody could be answered.
 */
export async function serveTools(options: ServerOptions): Promise<void> {
  // Standard output belongs to the protocol: a stray console.log must not break the stream.
  globalThis.console = new Console(process.stderr, process.stderr);
  const end = (): never => process.exit(0);
  process.stdin.once('end', end).once('close', end).once('error', end);
  process.stdout.once('error', end);
  // Each answer that waits for a slow reader adds a listener: many at once are no leak.
  process.stdout.setMaxListeners(0);
  const prepared = prepareServer(options, Number.POSITIVE_INFINITY);
  let server: Server | undefined;
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: lineLimit });
  serveStdio(
    () => {
      server = buildServer(prepared);
      return server;
    },
    { transport, onerror: (error) => reportError(options.name, error) },
  );
  standBefore(transport, prepared, () => server);
}

/** What peers send wrong is said in one line; a line that was too long has closed the transport already. */
function reportError(name: string, error: Error): void {
  if (/exceeded maximum size/.test(error.message)) {
    process.stderr.write(
      `${name}: a message over ${lineLimit} bytes came in, which cannot be read. The server ends.\n`,
    );
    process.exit(1);
  }
  const wrongMessage = error.name === 'ZodError' || error.message.startsWith('[');
  console.error(`${name}: ${wrongMessage ? 'a message that is no JSON-RPC was ignored' : error.message.slice(0, 500)}`);
}
