import { Console } from 'node:console';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer } from './build-server.ts';
import { prepareServer, type ServerOptions } from './prepare-server.ts';

/**
 * Serves tools over standard input and output in every protocol version that the SDK knows; resolves when the server
 * listens. The process ends at once when its input ends, in the middle of a call too: a host that died leaves nothing.
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
  serveStdio(() => buildServer(prepared), { onerror: (error) => console.error(`${options.name}: ${error.message}`) });
}
