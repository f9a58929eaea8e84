import { once } from 'node:events';
import { createServer, type Server as NodeServer } from 'node:http';
import { isIPv6 } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { CapstanError } from '@capstan/contracts';
import { localhostAllowedHostnames } from '@modelcontextprotocol/server';
import type { HttpChoice } from './command-line.ts';
import { HttpFront } from './http-front.ts';
import { prepareServer, type ServerOptions } from './prepare-server.ts';
import { isLoopback, readToken } from './read-token.ts';

/** A client that sends no whole header or body in this time is cut off. Milliseconds. */
const headersMs = 10_000;
const requestMs = 60_000;
/** Longer than the pauses of usual clients, which else meet a connection that is just closing. Milliseconds. */
const keepAliveMs = 65_000;
/** What calls get to end when the server is told to. Milliseconds. */
const graceMs = 5000;
const sweepMs = 60_000;

/**
 * Serves Streamable HTTP at /mcp, in the protocols from 2024-11-05 to 2026-07-28; resolves when the server listens, and
 * says where on standard error. SIGTERM and SIGINT end it: nothing new is begun, calls get 5 seconds. Throws `usage`.
 */
export async function serveHttp(
  options: ServerOptions,
  choice: HttpChoice,
  environmentToken: string | undefined,
): Promise<void> {
  const { name } = options;
  const token = await readToken(name, choice, environmentToken);
  const names = [...localhostAllowedHostnames(), bracketed(choice.host), ...choice.allowedHosts];
  const front = new HttpFront(prepareServer(options, choice.atOnce), { names, token }, () => performance.now());
  const node = createServer({ headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs });
  node.on('request', (request, response) => void front.exchange(request, response));
  await listen(node, name, choice);
  const sweep = setInterval(() => void front.endIdle(), sweepMs);
  endOnSignals(node, front, sweep);
  const address = node.address();
  const port = typeof address === 'object' && address !== null ? address.port : choice.port;
  process.stderr.write(`${name}: listening on http://${bracketed(choice.host)}:${port}/mcp\n`);
  if (!isLoopback(choice.host)) {
    process.stderr.write(`${name}: the token and all content travel unencrypted. Put a proxy with TLS in front.\n`);
  }
}

async function listen(node: NodeServer, name: string, { host, port }: HttpChoice): Promise<void> {
  node.listen(port, host);
  try {
    await once(node, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CapstanError('usage', `${name}: cannot listen: ${reason}.`, {
      hint: 'Give another address with --http.',
    });
  }
}

function endOnSignals(node: NodeServer, front: HttpFront, sweep: NodeJS.Timeout): void {
  let ending = false;
  const end = async (): Promise<void> => {
    // Who says it twice does not want to wait.
    if (ending) process.exit(1);
    ending = true;
    clearInterval(sweep);
    node.close();
    await Promise.race([front.drain(), delay(graceMs)]);
    await front.close();
    node.closeAllConnections();
    process.exit(0);
  };
  process.on('SIGTERM', () => void end()).on('SIGINT', () => void end());
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
