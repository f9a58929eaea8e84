// What the npm scripts run: installs what is missing, then starts the command on a Node that is new enough.
import { statSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runDemo } from './demo.mjs';
import { findNode, missingNodeMessage } from './find-node.mjs';
import { ensureInstalled } from './install.mjs';
import { endLike, runGuarded } from './run-guarded.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const environmentExitCode = 4;

/** @type {Record<string, (node: string, args: string[]) => Promise<import('./run-guarded.mjs').Ending>>} */
const commands = {
  start: (node, args) => (args.length === 0 ? runDemo(root, node, startOptions()) : start(node, args)),
  test: (node, args) => runGuarded(node, [join(root, 'scripts', 'run-tests.ts'), ...args], { cwd: root }),
  check: (node, args) => runGuarded(node, [join(root, 'scripts', 'check.ts'), ...args], { cwd: root }),
};

/**
 * @param {string} node
 * @param {string[]} args
 */
function start(node, args) {
  return runGuarded(node, [join(root, 'bin', 'capstan'), ...args], startOptions());
}

/** As if the user had called bin/capstan: in the user's folder, and without the programs that npm puts on the PATH. */
function startOptions() {
  const folder = process.env.INIT_CWD ?? process.cwd();
  const cwd = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : process.cwd();
  const addedByNpm = (/** @type {string} */ entry) =>
    entry.endsWith(`${sep}node-gyp-bin`) || (entry.endsWith(join('node_modules', '.bin')) && isAbove(entry));
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !addedByNpm(entry));
  // npm finds this folder from below it; from elsewhere the person calls npm in some other way.
  const program = `${cwd}${sep}`.startsWith(`${root}${sep}`) ? { CAPSTAN_PROGRAM: 'npm start --' } : {};
  return { cwd, env: { ...process.env, PATH: path.join(delimiter), ...program } };
}

/**
 * Whether a `node_modules/.bin` folder lies in the repository's own folder or in one above it.
 *
 * @param {string} entry
 */
function isAbove(entry) {
  const folder = entry.slice(0, -join('node_modules', '.bin').length);
  return `${root}${sep}`.startsWith(folder);
}

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  process.stderr.write(`usage: node scripts/setup.mjs ${Object.keys(commands).join('|')} [arguments]\n`);
  process.exitCode = 2;
} else {
  const problem = await ensureInstalled(root);
  const node = findNode(root);
  if (problem !== undefined || node === undefined) {
    process.stderr.write(`${problem ?? missingNodeMessage()}\n`);
    process.exitCode = environmentExitCode;
  } else {
    endLike(await command(node, args));
  }
}
