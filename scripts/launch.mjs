import { existsSync, readdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileCacheFolder } from './compile-cache.mjs';
import { findNode, isNewEnough, missingNodeMessage } from './find-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const servers = join(root, 'packages', 'servers');

/** The same exit codes as everywhere in Capstan: a wrong command line, and an environment that cannot run it. */
const usageExitCode = 2;
const environmentExitCode = 4;

/**
 * What is started: the file below `bin` that was called, the module that it runs, and the arguments for that.
 *
 * @typedef {{ entry: string, main: string, args: readonly string[] }} Program
 */

/**
 * Starts the command line of Capstan: in this process where its Node is new enough, else in one that the pinned Node
 * runs. The command line finds the user's working directory in CAPSTAN_CWD, and what the user called in CAPSTAN_PROGRAM.
 *
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function launch(args) {
  await start({ entry: 'capstan', main: join(root, 'apps', 'cli', 'src', 'main.ts'), args }, args);
}

/**
 * Starts one of the MCP servers alone, for any host: its name comes first.
 *
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function launchServer(args) {
  const [name = '', ...rest] = args;
  const names = readdirSync(servers).sort();
  if (!names.includes(name)) {
    return refuse(`Use: capstan-server NAME [OPTIONS], or NAME --help. Names: ${names.join(', ')}.`, usageExitCode);
  }
  await start({ entry: 'capstan-server', main: join(servers, name, 'src', 'main.ts'), args: rest }, args);
}

/**
 * @param {Program} program
 * @param {readonly string[]} given for the same program on another Node
 */
async function start(program, given) {
  if (!existsSync(join(root, 'node_modules'))) {
    return refuse('Capstan is not installed yet. Run `npm start` or `npm ci` in its folder, then start again.');
  }
  process.env.CAPSTAN_PROGRAM ??= process.argv[1];
  if (isNewEnough(process.version)) return runHere(program);
  const node = findNode(root);
  if (node === undefined) return refuse(missingNodeMessage());
  const { endLike, runGuarded } = await import('./run-guarded.mjs');
  endLike(await runGuarded(node, [join(root, 'bin', program.entry), ...given]));
}

/** @param {Program} program */
async function runHere({ main, args }) {
  process.env.CAPSTAN_CWD = process.cwd();
  const cache = process.env.NODE_COMPILE_CACHE ?? compileCacheFolder(process.env);
  if (cache !== undefined) {
    process.env.NODE_COMPILE_CACHE = cache;
    module.enableCompileCache(cache);
  }
  process.argv = [process.execPath, main, ...args];
  try {
    await import(pathToFileURL(main).href);
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    refuse(
      `${error.message}\nCapstan has changed since it was installed. Run \`npm ci\` in its folder, then start again.`,
    );
  }
}

/**
 * A pull can bring a package that is not installed. To compare with the lock at each start would cost more than this.
 *
 * @param {unknown} error
 * @returns {error is Error}
 */
function isMissingPackage(error) {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/**
 * @param {string} message
 * @param {number} code
 */
function refuse(message, code = environmentExitCode) {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}
