import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A running scripted model server: a process of its own that ends with its parent. */
export interface ScriptedModel {
  /** The base URL for a chat model. */
  readonly url: string;
  readonly pid: number;
  /** Lines of the ledger file: one per request that arrived, in whatever life of whatever client. */
  requests(): { number: number; digest: string; turn?: number; messages?: number; fault?: number | string }[];
  stop(): Promise<void>;
}

/** Starts the scripted model server of `main.ts` and waits until it listens on loopback. For tests and demonstrations. */
export async function startScriptedModel(options: {
  /** Path of a module that exports `next`. */
  script: string;
  ledger: string;
  /** E.g. `500:2`, `cut:1`. */
  faults?: readonly string[];
}): Promise<ScriptedModel> {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const faults = (options.faults ?? []).flatMap((fault) => ['--fault', fault]);
  const argv = [main, '--script', options.script, '--ledger', options.ledger, '--watch-stdin', ...faults];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exit.then(() => undefined)]);
  if (first === undefined || child.pid === undefined) throw new Error('the scripted model server did not start');
  const { url } = JSON.parse(String(first[0])) as { url: string };
  return {
    url,
    pid: child.pid,
    requests: () => (existsSync(options.ledger) ? readLedger(options.ledger) : []),
    stop: async () => {
      child.stdin.end();
      child.kill('SIGTERM');
      await exit;
      lines.close();
    },
  };
}

function readLedger(file: string) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReturnType<ScriptedModel['requests']>[number]);
}
