import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { underInstallLock } from './install-lock.mjs';

/**
 * Makes sure that `node_modules` is what package-lock.json says, by `npm ci` where it is not. All output goes to
 * standard error. Safe to run several times at once.
 *
 * @param {string} root
 * @returns {Promise<string | undefined>} undefined when all is well, else what went wrong and what to do
 */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return undefined;
  if (!isWritable(root)) {
    return `The dependencies of Capstan are missing and ${root} is not writable for you: its owner has to run \`npm ci\` there.`;
  }
  const onWait = () => say('Capstan: another process is installing the dependencies; waiting for it ...');
  return underInstallLock(join(root, '.capstan-install.lock'), () => install(root), onWait);
}

/**
 * Whether `node_modules` was installed from the lock file as it is now.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  return readText(stampPath(root)) === lockDigest(root) || matchesLock(root);
}

/** @param {string} root */
async function install(root) {
  if (isInstalled(root)) return undefined;
  say('Capstan: installing the dependencies (npm ci) ...');
  const { cache, release } = npmCache();
  const digest = lockDigest(root);
  const [command, ...prefix] = npmCommand();
  const args = [...prefix, 'ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const problem = await run(command, [...args, '--loglevel=error', '--no-update-notifier', '--cache', cache], root);
  release();
  if (problem !== undefined) return `${problem}\nMend that, or run \`npm ci\` in ${root} yourself, and start again.`;
  writeFileSync(stampPath(root), digest);
  return undefined;
}

/**
 * Compares npm's own record of what it installed with the lock file, for those who ran npm themselves.
 *
 * @param {string} root
 */
function matchesLock(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const found = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || found === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const installed = found[path];
    if (installed === undefined) return entry.optional === true || entry.peer === true;
    return installed.version === entry.version && installed.integrity === entry.integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean, peer?: boolean }> | undefined}
 */
function packagesOf(file) {
  const text = readText(file);
  return text === undefined ? undefined : JSON.parse(text).packages;
}

/** @param {string} root */
function lockDigest(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** @param {string} root */
function stampPath(root) {
  return join(root, 'node_modules', '.capstan-lock');
}

/** npm's own cache where this user can write to it, else a folder for this once. */
function npmCache() {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  try {
    mkdirSync(join(cache, '_cacache'), { recursive: true });
    if (isWritable(join(cache, '_cacache')) && isWritable(cache)) return { cache, release: () => undefined };
  } catch {
    // No home, or one of somebody else: npm works with any other folder as well.
  }
  const folder = mkdtempSync(join(tmpdir(), 'capstan-npm-'));
  return { cache: folder, release: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * The npm that started this process, else the one on the PATH.
 *
 * @returns {[string, ...string[]]}
 */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script === undefined || basename(script) !== 'npm-cli.js') return ['npm'];
  return [process.env.npm_node_execpath ?? process.execPath, script];
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<string | undefined>}
 */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] });
    child.once('error', (error) => resolve(`npm could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? undefined : `npm ci failed (${signal ?? `exit code ${code}`}); its message is above.`);
    });
  });
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not there yet.
    return undefined;
  }
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}
