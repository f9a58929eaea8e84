import { join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import type { RepairDeps } from './repair-deps.ts';

/** One line that the driver printed. */
export interface DriverLine {
  readonly kind: string;
  readonly step?: string;
  readonly [key: string]: unknown;
}

const ENDING_MS = 500;
const ENDING_SHARE = 0.25;

/**
 * Starts the driver in the sandbox with `steps` and returns what it printed; `onLine` sees each line as it comes.
 * A driver that does not end by itself ends with the sandbox's time limit: then the last line is not `done`.
 */
export async function runJob(
  deps: RepairDeps,
  steps: readonly object[],
  milliseconds: number,
  onLine: (line: DriverLine) => void = () => {},
): Promise<DriverLine[]> {
  const lines: DriverLine[] = [];
  const decoder = new TextDecoder();
  let pending = '';
  const take = (text: string): void => {
    const pieces = (pending + text).split('\n');
    pending = pieces.pop() ?? '';
    for (const piece of pieces.filter((one) => one !== '')) {
      const line = JSON.parse(piece) as DriverLine;
      lines.push(line);
      onLine(line);
    }
  };
  // The driver ends a little earlier by itself, with all that it knows.
  const own = milliseconds - Math.min(ENDING_MS, milliseconds * ENDING_SHARE);
  const job = { workspace: deps.workspaceInside, steps, milliseconds: own };
  const runtime = { from: join(import.meta.dirname, 'runtime'), to: deps.runtimeInside, access: 'read' as const };
  const output = await deps.runner.run({
    argv: ['node', join(deps.runtimeInside, 'driver.mjs')],
    profile: {
      ...deps.profile,
      binds: [...deps.profile.binds, runtime],
      limits: { ...deps.profile.limits, milliseconds: Math.ceil(milliseconds), outputBytes: 64 * 1024 * 1024 },
    },
    input: new TextEncoder().encode(JSON.stringify(job)),
    onOutput: (stream, chunk) => {
      if (stream === 'stdout') take(decoder.decode(chunk, { stream: true }));
    },
    ...(deps.signal === undefined ? {} : { signal: deps.signal }),
  });
  if (output.ended === 'not-started') {
    throw new CapstanError('no-sandbox', 'the sandbox could not start', { hint: textOf(output.stderr) });
  }
  if (output.ended === 'cancelled') throw new CapstanError('internal', 'cancelled', { level: 'retryable' });
  if (output.ended === 'exit' && output.exitCode !== 0) {
    throw new CapstanError('no-toolchain', `the test driver ended with ${output.exitCode ?? output.signal}`, {
      hint: textOf(output.stderr) || 'Is Node 20 or later on the search path?',
    });
  }
  return lines;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim().slice(-600);
}
