import { spawn } from 'node:child_process';

const OUTPUT_LIMIT = 4 * 1024 * 1024;
const TAIL = 2000;

/**
 * Runs one program in a process group of its own and kills the whole group at the end. `inputs` maps file descriptors
 * to text; `outputs` lists descriptors to read.
 */
export function runProcess(argv, { cwd, env, timeoutMs, inputs = {}, outputs = [], onLine }) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'ignore', 'pipe'];
    for (const fd of [...Object.keys(inputs).map(Number), ...outputs]) stdio[fd] = 'pipe';
    const child = spawn(argv[0], argv.slice(1), { cwd, env, detached: true, stdio });
    const texts = Object.fromEntries(outputs.map((fd) => [fd, '']));
    let errors = '';
    let timedOut = false;
    const end = () => killGroup(child.pid);
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs);
    for (const [fd, text] of Object.entries(inputs)) {
      child.stdio[fd].on('error', ignore);
      child.stdio[fd].end(text);
    }
    for (const fd of outputs) {
      child.stdio[fd].setEncoding('utf8');
      child.stdio[fd].on('error', ignore);
      child.stdio[fd].on('data', (chunk) => {
        if (texts[fd].length < OUTPUT_LIMIT) texts[fd] += chunk;
        onLine?.();
      });
    }
    child.stdio[2].setEncoding('utf8');
    child.stdio[2].on('data', (chunk) => {
      errors = (errors + chunk).slice(-TAIL);
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ exitCode: null, timedOut, texts, errors: String(error.message) });
    });
    // Not 'close': a background child may hold the pipes for ever.
    child.on('exit', (exitCode) => {
      clearTimeout(timer);
      end();
      setTimeout(() => resolve({ exitCode, timedOut, texts, errors }), 5);
    });
  });
}

/** Kills a process and everything that stayed in its group; one that has gone already is fine. */
export function killGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Broken pipes come from children that ended early, which their exit tells already. */
function ignore() {}
