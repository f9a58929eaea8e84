import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bareOfficialServer } from '../../apps/cli/src/official-server.ts';
import { makeFuzzPlace } from './fuzz-place.ts';
import { type FuzzReport, fuzzServer } from './fuzz-server.ts';
import type { RawCommand } from './raw-server.ts';

export interface OfficialFuzz {
  readonly installation: string;
  /** Where Node keeps compiled code: with it a server starts in half of the time. */
  readonly compileCache?: string | undefined;
  readonly calls: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

const inFlight = 16;
const hangMilliseconds = 120_000;

/** Fuzzes one of our servers on a throw-away folder; nothing is left when it resolves. */
export async function fuzzOfficialServer(name: string, options: OfficialFuzz): Promise<FuzzReport> {
  const { installation, compileCache, ...how } = options;
  const environment = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache };
  const place = makeFuzzPlace();
  const web = createServer((request, response) => response.end(`You asked for ${request.url}. 你好`));
  try {
    await once(web.listen(0, '127.0.0.1'), 'listening');
    const { port } = web.address() as AddressInfo;
    const settings = { installation, node: process.execPath, environment };
    const server =
      name === 'http'
        ? { ...localHttpServer(installation, place.base, port), environment }
        : await bareOfficialServer(name, { settings, ...place });
    const texts = [`http://127.0.0.1:${port}/items?page=2`];
    const report = await fuzzServer({ ...how, server, texts, canary: place.canary, inFlight, hangMilliseconds });
    const left = processesNaming(place.base).map((command) => `a process is left: ${command}`);
    return { ...report, faults: [...report.faults, ...left] };
  } finally {
    web.close();
    web.closeAllConnections();
    place.remove();
  }
}

/** Command lines of processes that work on a folder. */
function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return []; // It ended while we looked.
      }
    })
    .filter((command) => command.includes(folder));
}

/** It may reach this machine alone, so that nothing is sent elsewhere. */
function localHttpServer(installation: string, folder: string, port: number): Omit<RawCommand, 'environment'> {
  const rule = {
    host: '127.0.0.1',
    port,
    scheme: 'http',
    addresses: ['127.0.0.1'],
    methods: ['GET', 'POST', 'DELETE'],
  };
  const file = join(folder, 'http.yaml');
  writeFileSync(file, JSON.stringify({ rules: [rule] }));
  const main = join(installation, 'packages', 'servers', 'http', 'src', 'main.ts');
  return { command: process.execPath, args: [main, '--config', file] };
}
