import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Capstan's sources are TypeScript that Node runs directly, which takes this version or a later one. */
export const neededMajor = 24;

/**
 * The Node that can run Capstan: this process's own where it is new enough, else the one that the lock file pins
 * (Linux on x64 and arm64). Undefined when there is neither.
 *
 * @param {string} root folder of the repository
 * @param {{ version: string, execPath: string, platform: string, arch: string }} own usually `process`
 * @returns {string | undefined} absolute path
 */
export function findNode(root, own = process) {
  if (isNewEnough(own.version)) return own.execPath;
  const pinned = join(root, 'node_modules', `node-${own.platform}-${own.arch}`, 'bin', 'node');
  return existsSync(pinned) ? pinned : undefined;
}

/**
 * @param {string} version such as "v24.1.0"
 * @returns {boolean}
 */
export function isNewEnough(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1]) >= neededMajor;
}

/**
 * What a person can do when `findNode` finds nothing.
 *
 * @param {{ version: string, platform: string, arch: string }} own
 * @returns {string}
 */
export function missingNodeMessage(own = process) {
  const why = `Capstan needs Node ${neededMajor} or later; this is Node ${own.version} on ${own.platform}-${own.arch}.`;
  const pinned = own.platform === 'linux' && (own.arch === 'x64' || own.arch === 'arm64');
  if (pinned) return `${why}\nRun \`npm ci\` in the folder of Capstan: it brings one along (not with --omit=optional).`;
  return `${why}\nInstall it from https://nodejs.org, put it first on your PATH, and start again.`;
}
