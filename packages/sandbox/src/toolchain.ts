import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { SandboxBind } from '@capstan/contracts';
import { findExecutable, systemPath } from './executable.ts';
import { isWithin } from './host-mounts.ts';
import { sandboxHome } from './root-layout.ts';

/** What a sandbox needs so that programs of the host work in it. */
export interface Toolchain {
  readonly binds: SandboxBind[];
  readonly environment: Record<string, string>;
  /** Executables that are not on the search path, or that nothing safe to bind would make work. */
  readonly missing: string[];
}

/** Names that mark a folder as somebody's home or a place of secrets, which is never bound. */
const personal = [
  '.aws',
  '.azure',
  '.bash_history',
  '.bashrc',
  '.config',
  '.docker',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.netrc',
  '.npmrc',
  '.profile',
  '.pypirc',
  '.ssh',
  '.zshrc',
  'credentials',
  'credentials.toml',
  'keyrings',
];

function isSafe(folder: string): boolean {
  const parts = folder.split('/').filter(Boolean);
  if (parts.length < 2 || basename(folder) === '.local') return false;
  if (parts.length === 2 && ['home', 'Users', 'mnt', 'media', 'run', 'var', 'etc'].includes(parts[0] ?? ''))
    return false;
  const names = new Set(readdirSync(folder));
  return !personal.some((name) => names.has(name));
}

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];
const isSystem = (path: string): boolean => systemFolders.some((folder) => isWithin(path, folder));

/** The folder that an installed program belongs to: what holds its `bin`, else its own folder; undefined when unsafe. */
function installationOf(program: string): string | undefined {
  const folder = dirname(program);
  const parent = dirname(folder);
  if (['bin', 'sbin', 'shims'].includes(basename(folder)) && isSafe(parent)) return parent;
  return isSafe(folder) ? folder : undefined;
}

/** The interpreter and its program that the first line of a script names. */
function interpreterOf(program: string): string | undefined {
  const start = Buffer.alloc(256);
  const descriptor = openSync(program, 'r');
  const length = readSync(descriptor, start);
  closeSync(descriptor);
  const words = /^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/.exec(start.toString('utf8', 0, length));
  return basename(words?.[1] ?? '') === 'env' ? words?.[2] : words?.[1];
}

interface Found {
  readonly binds: Map<string, SandboxBind>;
  readonly folders: string[];
  readonly environment: Record<string, string>;
}

function bind(found: Found, from: string, to: string = from): void {
  found.binds.set(to, { from, to, access: 'read' });
}

function bindWhereItExists(found: Found, from: string, to: string = from): void {
  if (existsSync(from)) bind(found, from, to);
}

/** rustup: the programs and the toolchains, the caches of packages; never the folder that holds the credentials. */
function addRust(found: Found, folder: string, environment: { RUSTUP_HOME?: string }): boolean {
  const cargoHome = dirname(folder);
  const rustup = environment.RUSTUP_HOME ?? join(dirname(cargoHome), '.rustup');
  if (basename(folder) !== 'bin' || !existsSync(join(folder, 'cargo')) || !existsSync(join(rustup, 'toolchains'))) {
    return false;
  }
  const inside = `${sandboxHome}/.cargo`;
  bind(found, folder);
  bind(found, rustup);
  bindWhereItExists(found, join(cargoHome, 'registry'), `${inside}/registry`);
  bindWhereItExists(found, join(cargoHome, 'git'), `${inside}/git`);
  Object.assign(found.environment, { RUSTUP_HOME: rustup, CARGO_HOME: inside, CARGO_NET_OFFLINE: 'true' });
  return true;
}

/** Version managers whose programs are stand-ins that look for the real ones below one folder. */
function addVersionManager(found: Found, folder: string): boolean {
  const root = dirname(folder);
  const has = (name: string): boolean => existsSync(join(root, name));
  const isShims = basename(folder) === 'shims';
  let name: string | undefined;
  if (isShims && has('versions') && has('libexec')) name = 'PYENV_ROOT';
  else if (isShims && has('installs')) name = 'ASDF_DATA_DIR';
  else if (basename(folder) === 'bin' && has('tools') && basename(root) === '.volta') name = 'VOLTA_HOME';
  if (name === undefined || !isSafe(root)) return false;
  bind(found, root);
  found.environment[name] = root;
  return true;
}

/** Go builds in the private home and takes modules only from what was downloaded before. */
function addGo(found: Found, home: string | undefined): void {
  Object.assign(found.environment, { GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '-modcacherw' });
  const modules = home === undefined ? undefined : join(home, 'go/pkg/mod');
  if (modules !== undefined && existsSync(modules)) {
    bind(found, modules);
    found.environment.GOMODCACHE = modules;
  }
}

/** A virtual environment of Python points to the installation that it was made from. */
function addBaseOfVirtualEnvironment(found: Found, prefix: string): void {
  const settings = join(prefix, 'pyvenv.cfg');
  if (!existsSync(settings)) return;
  const home = /^home\s*=\s*(.+)$/m.exec(readFileSync(settings, 'utf8'))?.[1]?.trim();
  if (home === undefined || !isAbsolute(home) || isSystem(home) || !existsSync(home)) return;
  const base = installationOf(join(realpathSync(home), 'python3'));
  if (base !== undefined) bind(found, base);
}

function addInstallation(found: Found, program: string): boolean {
  const target = realpathSync(program);
  const places = [program, target].filter((path) => !isSystem(path)).map(installationOf);
  if (places.some((place) => place === undefined)) return false;
  for (const place of places) {
    if (place === undefined) continue;
    bind(found, place);
    addBaseOfVirtualEnvironment(found, place);
  }
  return true;
}

function addProgram(name: string, searchPath: string, found: Found, seen: Set<string>): boolean {
  if (seen.has(name)) return true;
  seen.add(name);
  const entry = findExecutable(name, searchPath);
  if (entry === undefined) return false;
  const folder = realpathSync(dirname(entry));
  const program = join(folder, basename(entry));
  found.folders.push(folder);
  if (basename(name) === 'go') addGo(found, homeOf(folder));
  if (isSystem(program) && isSystem(realpathSync(program))) return true;
  if (addRust(found, folder, {}) || addVersionManager(found, folder)) return true;
  if (!addInstallation(found, program)) return false;
  const interpreter = interpreterOf(program);
  return interpreter === undefined || addProgram(interpreter, searchPath, found, seen);
}

/** The home folder that a path lies in, going by the usual places. */
function homeOf(path: string): string | undefined {
  return /^(\/root|\/home\/[^/]+|\/Users\/[^/]+)(?=\/)/.exec(path)?.[1];
}

/** Folders in the order of the search path, so that the same version is found inside; then the system's. */
function innerPath(folders: readonly string[], searchPath: string): string {
  const order = searchPath.split(':').filter((folder) => isAbsolute(folder) && existsSync(folder));
  const ordered = order.map((folder) => realpathSync(folder)).filter((folder) => folders.includes(folder));
  return [...new Set([...ordered, ...folders, ...systemPath.split(':')])].join(':');
}

/** A bind within another one at the same place adds nothing. */
function withoutNested(binds: readonly SandboxBind[]): SandboxBind[] {
  const covers = (outer: SandboxBind, inner: SandboxBind): boolean =>
    outer !== inner && outer.from === outer.to && inner.from === inner.to && isWithin(inner.from, outer.from);
  return binds.filter((inner) => !binds.some((outer) => covers(outer, inner)));
}

/**
 * Finds programs on the host's search path and says what to bind, read-only, and which environment to set so that they
 * run in a sandbox without network. Installations are bound where they are; a home folder, a folder that holds
 * secrets, or `/` never is: what would need that is reported as missing.
 */
export async function toolchainFor(executables: readonly string[], searchPath: string): Promise<Toolchain> {
  const found: Found = { binds: new Map(), folders: [], environment: {} };
  const seen = new Set<string>();
  const missing = executables.filter((name) => !addProgram(name, searchPath, found, seen));
  return {
    binds: withoutNested([...found.binds.values()]),
    environment: {
      PATH: innerPath(found.folders, searchPath),
      HOME: sandboxHome,
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
      USER: 'sandbox',
      LOGNAME: 'sandbox',
      SHELL: '/bin/sh',
      ...found.environment,
    },
    missing,
  };
}
