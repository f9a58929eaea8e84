import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Scenario } from './checkouts.ts';
import { needsSandbox } from './needs-sandbox.ts';
import { installation } from './run-capstan.ts';

// `script` (util-linux) gives a program a real terminal, so that Ctrl-C reaches the whole process group.
const isInstalled = spawnSync('script', ['--version']).status === 0;

/** Options for tests in a terminal that run code of a repository. */
export const needsTerminal = isInstalled ? needsSandbox : { skip: 'needs script (util-linux): not installed' };

export interface TerminalRun {
  readonly child: ChildProcess;
  /** Everything that was shown so far. */
  text(): string;
  /** Waits until a text has been shown, `times` times. */
  sees(text: string, times?: number): Promise<void>;
  type(keys: string): void;
  /** Waits for the end; the exit code. */
  ends(): Promise<number | null>;
}

/** Starts the real binary in a terminal of its own, as the person `user`. */
export function inTerminal(
  t: Pick<TestContext, 'after'>,
  scenario: Scenario,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TerminalRun {
  const words = [process.execPath, join(installation, 'bin', 'capstan'), ...args];
  const command = `exec ${words.map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: scenario.home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: scenario.home,
      SHELL: '/bin/sh',
      TERM: 'xterm',
      CAPSTAN_HOME: join(scenario.home, 'state'),
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  return {
    child,
    text: () => shown,
    type: (keys) => child.stdin?.write(keys),
    async sees(text, times = 1) {
      const end = Date.now() + 120_000;
      while (shown.split(text).length <= times) {
        assert.ok(child.exitCode === null && Date.now() < end, `waiting for ${text} in:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async ends() {
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}
