/**
 * How long `search_text` of the fs-read server takes on a large repository, against `grep -r` over the same files in the
 * same rounds; wall time and CPU time (medians), through the real process with its permissions.
 *
 *     node bench/search-files.ts [--files 20000] [--rounds 5]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeLargeRepository } from './large-repository.ts';

const { values } = parseArgs({ options: { files: { type: 'string' }, rounds: { type: 'string' } } });
const count = Number(values.files ?? 20_000);
const rounds = Number(values.rounds ?? 5);
const main = fileURLToPath(new URL('../packages/servers/fs-read/src/main.ts', import.meta.url));
const house = fileURLToPath(new URL('..', import.meta.url));
/** Of the clock in /proc/PID/stat. */
const ticksPerSecond = 100;

interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly files: number;
}

const searches = {
  'rare text': { pattern: '// 7777' },
  'text that is nowhere': { pattern: 'needle-in-no-haystack' },
  'Chinese that is nowhere': { pattern: '没有的词' },
  'capitals and small letters alike': { pattern: 'NEEDLE-in-no-haystack', ignoreCase: true },
  'regular expression': { pattern: 'needle-(in|of)-\\w+', regex: true },
} as const;

const base = mkdtempSync(join(tmpdir(), 'capstan-search-'));
const root = join(base, 'root');
mkdirSync(root);
try {
  const bytes = makeLargeRepository(root, count, process.env.PATH ?? '');
  console.log(`${count} files, ${(bytes / 1e6).toFixed(0)} MB; medians of ${rounds} rounds`);
  await measure();
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const rights = [house, root, '/proc/self/fd'].map((path) => `--allow-fs-read=${path}`);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--permission', ...rights, main, '--root', root],
    env: {},
  });
  await client.connect(transport);
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round <= rounds; round += 1) {
    const add = (name: string, cost: Cost) => round > 0 && costs.set(name, [...(costs.get(name) ?? []), cost]);
    add('grep -r', grep());
    for (const [name, search] of Object.entries(searches)) add(name, await call(client, Number(transport.pid), search));
  }
  await client.close();
  const base = medians(costs.get('grep -r') ?? []);
  for (const [name, values] of costs) {
    const { wall, cpu, files } = medians(values);
    const whole = files >= count ? 'all files' : `ended early, ${files} files`;
    const ratios = `${(wall / base.wall).toFixed(2)} x wall, ${(cpu / base.cpu).toFixed(2)} x CPU`;
    console.log(
      `${name.padEnd(34)}${wall.toFixed(0).padStart(6)} ms${cpu.toFixed(0).padStart(7)} ms CPU  ${ratios}, ${whole}`,
    );
  }
}

function grep(): Cost {
  const before = cpuOf('self', 'children');
  const begun = performance.now();
  const { status } = spawnSync('grep', ['-rnIF', '--exclude-dir=.git', 'needle-in-no-haystack', root]);
  // 1: nothing found.
  if (status !== 1) throw new Error(`grep ended with ${status}`);
  return { wall: performance.now() - begun, cpu: cpuOf('self', 'children') - before, files: count };
}

async function call(client: Client, pid: number, input: Record<string, unknown>): Promise<Cost> {
  const before = cpuOf(pid);
  const begun = performance.now();
  const reply = await client.callTool({ name: 'search_text', arguments: input }, { timeout: 60_000 });
  const wall = performance.now() - begun;
  const structured = reply.structuredContent as { filesSearched: number; complete: boolean } | undefined;
  if (structured === undefined) throw new Error(JSON.stringify(reply.content).slice(0, 300));
  return { wall, cpu: cpuOf(pid) - before, files: structured.filesSearched };
}

/** User and system time in milliseconds, of a process or of the children that it has waited for. */
function cpuOf(pid: number | 'self', of: 'itself' | 'children' = 'itself'): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const at = of === 'itself' ? 11 : 13;
  return ((Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond) * 1000;
}

function medians(costs: readonly Cost[]): Cost {
  const middle = (values: number[]) => values.sort((first, second) => first - second)[values.length >> 1] ?? Number.NaN;
  return {
    wall: middle(costs.map((cost) => cost.wall)),
    cpu: middle(costs.map((cost) => cost.cpu)),
    files: middle(costs.map((cost) => cost.files)),
  };
}
