import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const guard = fileURLToPath(new URL('guard.mjs', import.meta.url));

/**
 * How a process ended.
 *
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null }} Ending
 */

/**
 * Runs a module in a process of another Node, on the same standard streams, and waits for its end. Signals sent to this
 * process reach it, and it cannot outlive this process: it holds the other end of a pipe that closes when this process
 * ends in any way, SIGKILL included (see guard.mjs).
 *
 * @param {string} binary path of the Node to run
 * @param {readonly string[]} args the module's absolute path, then its arguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Ending>} rejects when the binary cannot be started
 */
export function runGuarded(binary, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, [guard, ...args], { ...options, stdio: ['inherit', 'inherit', 'inherit', 'pipe'] });
    // The terminal sends Ctrl-C to the whole process group: passing it on would make it two.
    const interrupt = process.stdin.isTTY ? () => undefined : () => child.kill('SIGINT');
    const terminate = () => child.kill('SIGTERM');
    const hangUp = () => child.kill('SIGHUP');
    process.on('SIGINT', interrupt).on('SIGTERM', terminate).on('SIGHUP', hangUp);
    const release = () => process.off('SIGINT', interrupt).off('SIGTERM', terminate).off('SIGHUP', hangUp);
    child.once('error', (error) => {
      release();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      release();
      resolve({ code, signal });
    });
  });
}

/**
 * Ends this process as the other one ended: with its exit code, or by its signal.
 *
 * @param {Ending} ending
 */
export function endLike({ code, signal }) {
  process.exitCode = code ?? 1;
  if (signal !== null) process.kill(process.pid, signal);
}
