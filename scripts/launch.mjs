import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileCacheFolder } from './compile-cache.mjs';
import { findNode, isNewEnough, missingNodeMessage } from './find-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = join(root, 'bin', 'capstan');
const main = join(root, 'apps', 'cli', 'src', 'main.ts');

/** The environment cannot run Capstan: the same exit code as everywhere in Capstan. */
const environmentExitCode = 4;

/**
 * Starts the command line of Capstan: in this process where its Node is new enough, else in one that the pinned Node
 * runs. The command line finds the user's working directory in CAPSTAN_CWD, and what the user called in CAPSTAN_PROGRAM.
 *
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
export async function launch(args) {
  if (!existsSync(join(root, 'node_modules'))) {
    return refuse('Capstan is not installed yet. Run `npm start` or `npm ci` in its folder, then start again.');
  }
  process.env.CAPSTAN_PROGRAM ??= process.argv[1];
  if (isNewEnough(process.version)) return runHere(args);
  const node = findNode(root);
  if (node === undefined) return refuse(missingNodeMessage());
  const { endLike, runGuarded } = await import('./run-guarded.mjs');
  endLike(await runGuarded(node, [entry, ...args]));
}

/** @param {readonly string[]} args */
async function runHere(args) {
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

/** @param {string} message */
function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = environmentExitCode;
}
