import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../testing-process.ts', import.meta.url));
const hook = fileURLToPath(new URL('./kill-at-step.mjs', import.meta.url));

export interface StepProcess {
  /** The exit code, or the signal. */
  readonly end: unknown;
  readonly output: string;
}

/** Runs `testing-process.ts` with these words, killed before its n-th step when there is a number. */
export async function runStepProcess(words: readonly string[], killAt?: number): Promise<StepProcess> {
  const options = killAt === undefined ? [] : ['--import', hook];
  const child = spawn(process.execPath, [...options, program, ...words], {
    env: { ...process.env, KILL_AT_STEP: String(killAt ?? 0) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code, signal] = await once(child, 'close');
  return { end: code ?? signal, output };
}
