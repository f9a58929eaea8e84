import { spawnSync } from 'node:child_process';
import { accessSync, constants, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { devNull, homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGuarded } from './run-guarded.mjs';

const example = 'room-book';
const task = 'make the failing tests pass';

/**
 * The main job on a throw-away copy of the example: a library with two bugs and tests that show them.
 *
 * @param {string} root
 * @param {string} node
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<import('./run-guarded.mjs').Ending>} how the run ended
 */
export async function runDemo(root, node, { cwd, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-demo-'));
  const copy = join(folder, example);
  cpSync(join(root, 'examples', example), copy, { recursive: true });
  const problem = commitAll(copy, env);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    return { code: 4, signal: null };
  }
  process.stdout.write(`Capstan works on a throw-away copy of examples/${example}: ${copy}\nTask: ${task}\n\n`);
  const home = stateIsWritable(env) ? {} : { CAPSTAN_HOME: join(folder, 'state') };
  const args = [join(root, 'bin', 'capstan'), 'run', '--repo', copy, task];
  const ending = await runGuarded(node, args, { cwd, env: { ...env, ...home } });
  process.stdout.write(afterword(copy));
  return ending;
}

/**
 * Makes a repository of the folder without reading anybody's git configuration, hooks or templates.
 *
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} environment
 */
function commitAll(folder, environment) {
  const clean = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
  const env = { ...clean, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Capstan', '-c', 'user.email=capstan@localhost', '-c', `core.hooksPath=${devNull}`];
  const steps = [
    ['init', '--quiet', '--initial-branch=main', '--template='],
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '--message', 'The example as it is'],
  ];
  for (const args of steps) {
    const { status, error, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' });
    if (error !== undefined) return `git could not be started (${error.message}). Capstan needs it: install git.`;
    if (status !== 0) return `git ${args.join(' ')} failed in ${folder}: ${stderr}`;
  }
  return undefined;
}

/**
 * Whether sessions can be kept in the user's state folder; without a home they go with the copy.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
function stateIsWritable(environment) {
  const state = environment.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const folder = environment.CAPSTAN_HOME ?? join(state, 'capstan');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // No home, or one of somebody else.
    return false;
  }
}

/** @param {string} copy */
function afterword(copy) {
  return `
The copy is throw-away (${copy}); nothing in it changes until a session is applied.

The same on your own repository:

    npm start -- run --repo PATH "${task}"
`;
}
