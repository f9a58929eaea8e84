/**
 * What each MCP server costs before it does anything: `node bench/server-start.ts [--rounds 5]`. From the
 * start of the process to its first answer to tools/list, over stdio: wall and CPU time (user and system, with its
 * children), and the memory of the idle process that is its own (proportional set size). The base is a bare Node script
 * that answers the same two requests from a constant. Interleaved, so that what else the machine does hits all alike; medians.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServer, serverNames } from '../scripts/bundle-server.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const servers = fileURLToPath(new URL('../packages/servers', import.meta.url));
const searchPath = process.env.PATH ?? '';
const base = mkdtempSync(join(tmpdir(), 'capstan-servers-'));
const root = join(base, 'root');
const bare = join(base, 'bare.mjs');

interface Sample {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
}

/** The folder, and what else a server does not start without. */
function argumentsOf(name: string): string[] {
  if (name === 'http') return ['--config', join(base, 'http.yaml')];
  const state = name === 'fs-read' ? [] : ['--state', join(base, name)];
  const contained =
    name === 'exec' || name === 'repair' ? ['--sandbox', 'util-linux', '--search-path', searchPath] : [];
  return ['--root', root, ...state, ...contained];
}

/** From a clone: sources, with the types stripped at each start. */
function fromSources(name: string): string[] {
  return [join(servers, name, 'src', 'main.ts'), ...argumentsOf(name)];
}

/** As it is published: its executable, with the options of its first line. */
async function fromBundle(name: string): Promise<string[]> {
  const { folder } = await bundleServer(name, join(base, 'servers'));
  const executable = join(folder, 'bin', `capstan-${name}.mjs`);
  const [, ...flags] = /-S (.*)/.exec(readFileSync(executable, 'utf8'))?.[1]?.split(' ') ?? [];
  return [...flags, executable, ...argumentsOf(name)];
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** Starts it, asks for its tools, looks at the idle process, and ends it. */
async function measure(args: readonly string[]): Promise<Sample> {
  const begun = performance.now();
  const environment = { PATH: searchPath, HOME: base };
  const child = spawn(process.execPath, args, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  const lines = createInterface({ input: child.stdout });
  const answer = async (): Promise<void> => {
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as unknown[];
    if (typeof line !== 'string') throw new Error(`${args.join(' ')} ended: ${said}`);
  };
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify(message)}\n`);
  send(initialize);
  await answer();
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  await answer();
  const wall = performance.now() - begun;
  const cpu = cpuOf(child);
  await sleep(300);
  const memory = memoryOf(child);
  child.stdin.end();
  await once(child, 'exit');
  return { wall, cpu, memory };
}

/** Fields 14 to 17 of stat, in ticks of 10 ms. Milliseconds. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field) * 10, 0);
}

/** Proportional set size of the process. MB. */
function memoryOf({ pid }: ChildProcess): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
}

function median(samples: readonly Sample[], key: keyof Sample): number {
  const sorted = samples.map((sample) => sample[key]).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

try {
  for (const folder of ['root', ...serverNames()]) mkdirSync(join(base, folder));
  writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"node --test"}}\n');
  writeFileSync(join(base, 'http.yaml'), 'rules:\n  - host: example.com\n');
  writeFileSync(
    bare,
    `import { createInterface } from 'node:readline';
    const results = { initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bare', version: '1' } }, 'tools/list': { tools: [] } };
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, method } = JSON.parse(line);
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }) + '\\n');
    }`,
  );
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(base, 'node_modules'));
  const subjects: [string, readonly string[]][] = [['bare Node', [bare]]];
  for (const name of serverNames()) {
    subjects.push([name, await fromBundle(name)], [`${name}, from sources`, fromSources(name)]);
  }
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [name, args] of subjects) {
      const sample = await measure(args);
      // The first round fills caches, of the kernel and of compiled code.
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), sample]);
    }
  }
  const cpuBase = median(samples.get('bare Node') ?? [], 'cpu');
  for (const [name, own] of samples) {
    const cpu = median(own, 'cpu');
    const columns = [`${median(own, 'wall').toFixed(0).padStart(6)} ms`, `CPU ${cpu.toFixed(0).padStart(5)} ms`];
    columns.push(`${(cpu / cpuBase).toFixed(1).padStart(5)} x`, `${median(own, 'memory').toFixed(1).padStart(6)} MB`);
    console.log(`${name.padEnd(24)} ${columns.join('  ')}`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
