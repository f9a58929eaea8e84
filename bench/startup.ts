/**
 * How much Capstan costs before it does anything: `bin/capstan --version`, and the first event of `run --json`, against a
 * bare Node. Interleaved, so that what else the machine does hits all alike; medians of wall time.
 *
 *     node bench/startup.ts [ROUNDS]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const rounds = Number(process.argv[2] ?? 15);
const capstan = fileURLToPath(new URL('../bin/capstan', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'capstan-startup-'));
const checkout = join(base, 'package.json');
writeFileSync(checkout, JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }));

const environment = { PATH: process.env.PATH ?? '', HOME: base, CAPSTAN_HOME: join(base, 'state') };

const subjects: Readonly<Record<string, () => Promise<number>>> = {
  'bare Node': () => untilEnd(['-e', '0']),
  'capstan --version': () => untilEnd([capstan, '--version']),
  'capstan --help': () => untilEnd([capstan, '--help']),
  'first event of run': () => untilFirstLine([capstan, 'run', '--repo', base, '--json', 'make the failing tests pass']),
};

function start(args: readonly string[]) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  return { child, elapsed: () => performance.now() - begun };
}

function untilEnd(args: readonly string[]): Promise<number> {
  const { child, elapsed } = start(args);
  child.stdout.resume();
  return new Promise((resolve) => child.once('exit', () => resolve(elapsed())));
}

async function untilFirstLine(args: readonly string[]): Promise<number> {
  const { child, elapsed } = start(args);
  const first = await new Promise<number>((resolve) => child.stdout.once('data', () => resolve(elapsed())));
  child.stdout.resume();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve));
  return first;
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  const times = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  // The first round fills the compile cache and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries(subjects)) {
      const time = await run();
      if (round > 0) times.get(name)?.push(time);
    }
  }
  const bare = median(times.get('bare Node') ?? []);
  for (const [name, values] of times) {
    const middle = median(values);
    const ratio = middle / bare;
    console.log(`${name.padEnd(20)} ${middle.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2).padStart(6)} x bare Node`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
