import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const probe = fileURLToPath(new URL('../fixtures/probe-server.ts', import.meta.url));
export const conformance = fileURLToPath(new URL('../fixtures/conformance-server.ts', import.meta.url));
export const eras = { legacy: 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
export type Era = keyof typeof eras;

/** A server's process that is reached by HTTP on a free port of this machine. */
export async function startHttpServer(main: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [main, '--http', '127.0.0.1:0', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment,
  });
  const exit = once(child, 'exit');
  let logged = '';
  child.stderr.on('data', (chunk) => {
    logged += String(chunk);
  });
  const logs = async (what: RegExp): Promise<boolean> => {
    for (let tries = 0; tries < 300 && !what.test(logged) && child.exitCode === null; tries += 1) await sleep(100);
    return what.test(logged);
  };
  if (!(await logs(/listening on /))) throw new Error(`The server did not start: ${logged}`);
  const url = new URL(/http:\S+/.exec(logged)?.[0] ?? '');
  return {
    url,
    logs,
    end: (signal: NodeJS.Signals = 'SIGTERM') => child.kill(signal),
    exit,
    connect: async (era: Era, token?: string, capabilities = {}) => {
      const client = new Client(
        { name: 'test', version: '1.0.0' },
        { versionNegotiation: { mode: eras[era] }, capabilities },
      );
      const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      return client;
    },
  };
}
