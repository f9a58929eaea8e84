import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SandboxLimits } from '@capstan/contracts';

/** A controller's folder under which groups of our own can be made, and the files that set its limits. */
interface Place {
  readonly folder: string;
  readonly settings: (limits: SandboxLimits) => readonly (readonly [file: string, value: string])[];
  readonly killCount: { readonly file: string; readonly field: string } | undefined;
}

/** One command's control groups. */
export interface ControlGroup {
  /** Moves a process, and with it what it will start. Rejects when the system refuses. */
  enter(pid: number): Promise<void>;
  /** Whether the kernel killed something in it for want of memory. */
  ranOutOfMemory(): boolean;
  remove(): void;
}

/** Makes control groups where the system lets this process; `undefined` where it does not. */
export interface ControlGroups {
  readonly version: 1 | 2;
  create(limits: SandboxLimits): ControlGroup;
}

const prefix = 'capstan-';

/** Swap counts as memory where the kernel keeps account of it. */
const optional = new Set(['memory.memsw.limit_in_bytes', 'memory.swap.max']);

const memoryVersion1 = (limits: SandboxLimits): [string, string][] => [
  ['memory.limit_in_bytes', String(limits.memoryBytes)],
  ['memory.memsw.limit_in_bytes', String(limits.memoryBytes)],
];
const processesSetting = (limits: SandboxLimits): [string, string][] => [['pids.max', String(limits.processes)]];
const version2 = (limits: SandboxLimits): [string, string][] => [
  ['memory.max', String(limits.memoryBytes)],
  ['memory.swap.max', '0'],
  ...processesSetting(limits),
];

interface Membership {
  readonly controllers: string[];
  readonly path: string;
}

function memberships(): Membership[] {
  return readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, controllers = '', ...path] = line.split(':');
      return { controllers: controllers.split(',').filter(Boolean), path: path.join(':') };
    });
}

function hierarchies(): { at: string; type: string; options: string[] }[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , type]) => type === 'cgroup' || type === 'cgroup2')
    .map(([, at = '', type = '', options = '']) => ({ at, type, options: options.split(',') }));
}

function placeVersion1(controller: string): string | undefined {
  const mount = hierarchies().find(({ type, options }) => type === 'cgroup' && options.includes(controller));
  const path = memberships().find(({ controllers }) => controllers.includes(controller))?.path;
  if (mount === undefined || path === undefined) return undefined;
  const own = join(mount.at, path);
  return existsSync(own) ? own : mount.at;
}

/** The nearest folder above our own group whose children are limited in memory and processes. */
function placeVersion2(): string | undefined {
  const mount = hierarchies().find(({ type }) => type === 'cgroup2');
  const path = memberships().find(({ controllers }) => controllers.length === 0)?.path;
  if (mount === undefined || path === undefined) return undefined;
  for (let folder = join(mount.at, path); folder.startsWith(mount.at); folder = dirname(folder)) {
    const control = join(folder, 'cgroup.subtree_control');
    const enabled = existsSync(control) ? readFileSync(control, 'utf8').trim().split(' ') : [];
    if (enabled.includes('memory') && enabled.includes('pids')) return folder;
  }
  return undefined;
}

function places(): { version: 1 | 2; places: Place[] } | undefined {
  const memory = placeVersion1('memory');
  const processes = placeVersion1('pids');
  if (memory !== undefined && processes !== undefined) {
    const killCount = { file: 'memory.oom_control', field: 'oom_kill' };
    return {
      version: 1,
      places: [
        { folder: memory, settings: memoryVersion1, killCount },
        { folder: processes, settings: processesSetting, killCount: undefined },
      ],
    };
  }
  const folder = placeVersion2();
  if (folder === undefined) return undefined;
  const killCount = { file: 'memory.events', field: 'oom_kill' };
  return { version: 2, places: [{ folder, settings: version2, killCount }] };
}

/** Tries an act on a control group; false when the system refuses it. */
function attempt(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

/** Removes groups whose maker was killed before it could: the kernel refuses those that are in use. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) attempt(() => rmdirSync(join(folder, name)));
  }
}

function removeSoon(folder: string, tries = 20): void {
  if (attempt(() => rmdirSync(folder)) || tries === 0) return;
  setTimeout(() => removeSoon(folder, tries - 1), 25);
}

function oomKills(folder: string, { file, field }: { file: string; field: string }): number {
  const path = join(folder, file);
  if (!existsSync(path)) return 0;
  return Number(new RegExp(`^${field} (\\d+)`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
}

function makeGroup(where: readonly Place[], name: string, limits: SandboxLimits): ControlGroup {
  const groups = where.map((place) => ({ ...place, folder: join(place.folder, name) }));
  for (const { folder, settings } of groups) {
    mkdirSync(folder);
    for (const [file, value] of settings(limits)) {
      if (!optional.has(file) || existsSync(join(folder, file))) writeFileSync(join(folder, file), value);
    }
  }
  return {
    enter: async (pid) => {
      for (const { folder } of groups) await writeFile(join(folder, 'cgroup.procs'), String(pid));
    },
    ranOutOfMemory: () => groups.some(({ folder, killCount }) => killCount && oomKills(folder, killCount) > 0),
    remove: () => {
      for (const { folder } of groups) removeSoon(folder);
    },
  };
}

/**
 * Whether a process that this one starts can be moved into a group. It is in a process group of its own, out of reach of
 * a terminal's Ctrl-C, and its end is listened for from the start: it may come at any moment.
 */
async function canEnter(group: ControlGroup): Promise<boolean> {
  const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore'];
  const child = spawn('/bin/sh', ['-c', 'read line'], { stdio, env: {}, detached: true });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // Before its streams are touched: a process that could not be started may have none.
  await once(child, 'spawn');
  child.stdin.on('error', () => child.stdin.destroy());
  const entered = await group.enter(child.pid ?? 0).then(
    () => true,
    () => false,
  );
  child.stdin.end();
  await closed;
  return entered;
}

/** Finds out, by making and entering one, whether control groups can be made here. */
export async function findControlGroups(limits: SandboxLimits): Promise<ControlGroups | undefined> {
  const found = places();
  if (found === undefined) return undefined;
  let made = 0;
  const create = (wanted: SandboxLimits): ControlGroup =>
    makeGroup(found.places, `${prefix}${process.pid}-${made++}-${Math.floor(performance.now() * 1000)}`, wanted);
  const probe: ControlGroup[] = [];
  attempt(() => {
    for (const { folder } of found.places) removeAbandoned(folder);
    probe.push(create(limits));
  });
  const [group] = probe;
  if (group === undefined) return undefined;
  const works = await canEnter(group);
  group.remove();
  return works ? { version: found.version, create } : undefined;
}
