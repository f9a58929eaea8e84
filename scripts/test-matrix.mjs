// Runs the tests in four ways: as root and as an unprivileged user, each with and without bubblewrap on the PATH.
// `node scripts/test-matrix.mjs [--copy] [--only WAY]... [PATH FILTER]...`; the ways that need root are left out without it.
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runInGroup } from './run-in-group.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const hidden = 'bwrap';
const isRoot = process.getuid?.() === 0;

/** @typedef {{ name: string, asNobody: boolean, withBubblewrap: boolean }} Way */

/** @type {readonly Way[]} */
const ways = [
  { name: isRoot ? 'root' : 'user', asNobody: false, withBubblewrap: true },
  { name: isRoot ? 'root-without-bubblewrap' : 'user-without-bubblewrap', asNobody: false, withBubblewrap: false },
  ...(isRoot
    ? [
        { name: 'nobody', asNobody: true, withBubblewrap: true },
        { name: 'nobody-without-bubblewrap', asNobody: true, withBubblewrap: false },
      ]
    : []),
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    copy: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
  },
});

const chosen = ways.filter(({ name }) => values.only === undefined || values.only.includes(name));
const unknown = (values.only ?? []).filter((name) => !ways.some((way) => way.name === name));
/** @type {NodeJS.Signals | undefined} */
let interrupted;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted ??= signal;
  });
}
const folder = mkdtempSync(join(tmpdir(), 'capstan matrix '));
try {
  if (unknown.length > 0 || chosen.length === 0)
    throw new Error(`--only takes ${ways.map(({ name }) => name).join(', ')}`);
  chmodSync(folder, 0o755);
  const rows = [];
  for (const way of chosen) if (interrupted === undefined) rows.push(await runWay(way));
  process.stdout.write(`\n${rows.map(({ name, counts }) => `${name.padEnd(26)} ${counts}`).join('\n')}\n`);
  process.exitCode = rows.every(({ code }) => code === 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (interrupted !== undefined) {
  process.removeAllListeners(interrupted);
  process.kill(process.pid, interrupted);
}

/**
 * @param {Way} way
 * @returns {Promise<{ name: string, counts: string, code: number | null }>}
 */
async function runWay(way) {
  process.stdout.write(`\n--- ${way.name}\n`);
  const place = join(folder, way.name);
  const clone = join(place, 'a clone');
  const home = join(place, 'home');
  mkdirSync(home, { recursive: true });
  makeClone(clone);
  const { uid, gid } = way.asNobody ? { uid: idOf('-u'), gid: idOf('-g') } : { uid: undefined, gid: undefined };
  if (uid !== undefined) must('chown', ['-R', `${uid}:${gid}`, place]);
  const prefix =
    uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all'];
  const [command = 'npm', ...args] = [...prefix, 'npm', 'test', '--', ...positionals];
  let output = '';
  // A signal that came while the clone was made is heard only now.
  await turn();
  if (interrupted !== undefined) return { name: way.name, counts: 'interrupted', code: null };
  const ended = await runInGroup(command, args, {
    cwd: clone,
    env: environment(way, place, home),
    onOutput: (text) => {
      output += text;
      process.stdout.write(text);
    },
  });
  rmSync(place, { recursive: true, force: true });
  const counts = output.match(/^\d+ passed, \d+ failed.*$/gm)?.at(-1) ?? 'no result';
  return { name: way.name, counts, code: ended.code };
}

/**
 * A clean clone of what is committed; with --copy, the dependencies that are installed here come along.
 *
 * @param {string} clone
 */
function makeClone(clone) {
  must('git', ['-c', 'safe.directory=*', 'clone', '--quiet', '--no-hardlinks', root, clone]);
  if (values.copy) must('cp', ['-a', join(root, 'node_modules'), join(clone, 'node_modules')]);
}

/**
 * The environment of a user who has just logged in, without what an outer npm has set.
 *
 * @param {Way} way
 * @param {string} place
 * @param {string} home
 */
function environment(way, place, home) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|XDG_|INIT_CWD$|CAPSTAN_)/.test(name));
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.endsWith(join('node_modules', '.bin')));
  const path = way.withBubblewrap ? folders : withoutHidden(folders, join(place, 'programs'));
  return { ...Object.fromEntries(kept), ...proxySettings(), CI: 'true', HOME: home, PATH: path.join(delimiter) };
}

/** npm settings of this machine that a download may depend on. */
function proxySettings() {
  const names = ['npm_config_registry', 'npm_config_proxy', 'npm_config_https_proxy', 'npm_config_cafile'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/**
 * The same PATH, with each folder that holds bubblewrap replaced by one that links to all its other programs. The rest
 * stays: tools such as rustup and pyenv know themselves by the folder that they lie in.
 *
 * @param {readonly string[]} folders
 * @param {string} target
 */
function withoutHidden(folders, target) {
  mkdirSync(target);
  return folders.map((source, index) => {
    const programs = listPrograms(source);
    if (!programs.includes(hidden)) return source;
    const links = join(target, String(index));
    mkdirSync(links);
    for (const name of programs) if (name !== hidden) symlinkSync(join(source, name), join(links, name));
    return links;
  });
}

/** @param {string} source */
function listPrograms(source) {
  try {
    return readdirSync(source).filter((name) => isExecutable(join(source, name)));
  } catch {
    // A PATH may name folders that do not exist.
    return [];
  }
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} flag */
function idOf(flag) {
  return must('id', [flag, 'nobody']).trim();
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function must(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
