/**
 * What a sandbox costs at its start: `node bench/sandbox-start.ts [rounds]`. Starts /bin/true bare and in each way of
 * containment, with and without an overlay, in turn, and prints the median wall time and, per start, the CPU time of everything that was started.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSandboxRunner, defaultLimits, preflight, toolchainFor } from '../packages/sandbox/src/index.ts';

const rounds = Number(process.argv[2] ?? 40);
const searchPath = process.env.PATH ?? '';
const argv = ['/bin/true'];

/** CPU time of this process's children that have ended, and their children: fields 16 and 17 of stat, in ticks of 10 ms. */
function childMilliseconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function bare(): Promise<void> {
  await once(spawn(argv[0] ?? '', [], { stdio: ['pipe', 'pipe', 'pipe'], env: {} }), 'close');
}

const toolchain = await toolchainFor([process.execPath], searchPath);
const profile = {
  binds: [...toolchain.binds, { from: process.cwd(), to: '/workspace', access: 'read' as const }],
  masked: [],
  environment: toolchain.environment,
  workingDirectory: '/workspace',
  limits: defaultLimits,
};
const ways: Record<string, () => Promise<unknown>> = { bare };
const { tried } = await preflight({ searchPath, node: process.execPath });
const utilLinux = await preflight({ searchPath: '/nowhere', node: process.execPath });
for (const { kind, works } of [...tried, ...utilLinux.tried]) {
  if (!works) continue;
  const runner = createSandboxRunner({ kind, searchPath });
  ways[kind] = () => runner.run({ argv, profile });
  const overlay = { from: process.cwd(), to: '/workspace', access: 'overlay' as const };
  ways[`${kind}, overlay`] = () => runner.run({ argv, profile: { ...profile, binds: [...toolchain.binds, overlay] } });
}

const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
const cpu = new Map<string, number>(Object.keys(ways).map((name) => [name, 0]));
for (let round = -2; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(ways)) {
    // The kernel clears namespaces away in the background, and a new start would wait for it.
    await sleep(40);
    const [wall, used] = [performance.now(), childMilliseconds()];
    await run();
    if (round < 0) continue;
    times.get(name)?.push(performance.now() - wall);
    cpu.set(name, (cpu.get(name) ?? 0) + childMilliseconds() - used);
  }
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;
for (const [name, values] of times) {
  const over = quantile(values, 0.5) - quantile(times.get('bare') ?? [], 0.5);
  console.log(
    `${name.padEnd(20)} median ${quantile(values, 0.5).toFixed(1)} ms (+${over.toFixed(1)}), least ${quantile(values, 0).toFixed(1)}, ` +
      `p90 ${quantile(values, 0.9).toFixed(1)}, CPU ${((cpu.get(name) ?? 0) / rounds).toFixed(1)} ms`,
  );
}
