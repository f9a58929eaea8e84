import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const heartbeat = 1000;
const settle = 60;
const staleAfter = 10_000;

/**
 * Runs `work` while no other process runs work under the same lock file. Its holder touches the file every second, so
 * that the lock of a killed process is taken over after ten seconds, in other containers too, where process ids say
 * nothing.
 *
 * @template Result
 * @param {string} file
 * @param {() => Promise<Result>} work
 * @param {() => void} onWait called once when another process holds the lock
 * @returns {Promise<Result>}
 */
export async function underInstallLock(file, work, onWait) {
  const token = randomUUID();
  let waited = false;
  while (!(await acquire(file, token))) {
    if (!waited) onWait();
    waited = true;
    await wait(200);
  }
  const beat = setInterval(() => touch(file), heartbeat);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(file, { force: true });
  }
}

/**
 * @param {string} file
 * @param {string} token
 */
async function acquire(file, token) {
  try {
    await writeFile(file, token, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await removeStale(file);
    return false;
  }
  // Another process may just be taking away what it believed to be the stale lock: hold it only once it has stayed.
  await wait(settle);
  return (await contentOf(file)) === token;
}

/** @param {string} file */
async function removeStale(file) {
  const token = await contentOf(file);
  const age = await ageOf(file);
  if (token === undefined || age === undefined || age < staleAfter) return;
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await contentOf(aside)) !== token) await link(aside, file);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EEXIST')) throw error;
  }
  await rm(aside, { force: true });
}

/** @param {string} file */
async function contentOf(file) {
  return readFile(file, 'utf8').catch(() => undefined);
}

/** @param {string} file */
async function ageOf(file) {
  return stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined,
  );
}

/** @param {string} file */
function touch(file) {
  const now = new Date();
  utimes(file, now, now).catch(() => undefined);
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
