import { spawn } from 'node:child_process';

const graceMilliseconds = 5000;
/** @type {readonly NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command in a process group of its own and waits for its end. A signal that would end this process goes to the whole
 * group instead, and what does not end by it is killed: so nothing that the command started is left behind, and the
 * caller can clean up. `interrupted` is that signal.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, onOutput: (text: string) => void }} options
 * @returns {Promise<{ code: number | null, interrupted: NodeJS.Signals | undefined }>} rejects when it cannot be started
 */
export function runInGroup(command, args, { cwd, env, onOutput }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    /** @type {NodeJS.Signals | undefined} */
    let interrupted;
    /** @type {NodeJS.Timeout | undefined} */
    let last;
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      interrupted ??= signal;
      signalGroup(child.pid, signal);
      last ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), graceMilliseconds);
    };
    const release = () => {
      clearTimeout(last);
      for (const signal of signals) process.off(signal, stop);
      // Where its first process is gone, others of the group may still hold on.
      if (interrupted !== undefined) signalGroup(child.pid, 'SIGKILL');
    };
    for (const signal of signals) process.on(signal, stop);
    child.stdout.setEncoding('utf8').on('data', onOutput);
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('exit', (code) => {
      release();
      const end = () => resolve({ code, interrupted });
      if (interrupted === undefined) child.once('close', end);
      else end();
    });
  });
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
