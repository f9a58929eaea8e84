import { copyFile, lstat, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Refusal, readRegularFile, refuse, runGit } from '@capstan/workspace';
import { checkNoLinks, checkParts } from './check-parts.ts';
import { type KeptSettings, keepSettings, readSettings, type Setting, writeSettings } from './kept-settings.ts';
import { linkParts } from './link-parts.ts';
import { type LocateRequest, locateRepository, type RepositoryPlace } from './locate-repository.ts';
import { viewName } from './old-views.ts';
import { gitRunner, type Repository } from './repository.ts';

export interface OpenRequest extends LocateRequest {
  /** `read`: not a byte of the git folder is written; git works on a copy of the index. */
  readonly use: 'read' | 'write';
  /** A folder of the server, outside of the root. */
  readonly stateFolder: string;
  readonly searchPath: string;
  readonly signal?: AbortSignal | undefined;
}

/** Larger configuration files are none that a person wrote. Bytes. */
const largestConfig = 4 * 1024 * 1024;

/** Opens a repository, works with it, and takes away what was made for that. */
export async function openRepository<Result>(
  request: OpenRequest,
  work: (repository: Repository) => Promise<Result>,
): Promise<Result | Refusal> {
  const located = await locateRepository(request);
  if ('failure' in located) return located;
  const { place, isAllowed } = located;
  const blocked =
    (await checkParts(place, isAllowed)) ?? (request.use === 'write' ? await checkNoLinks(place) : undefined);
  if (blocked !== undefined) return blocked;
  const folder = join(request.stateFolder, 'views', viewName(process.pid));
  await mkdir(join(folder, 'info'), { recursive: true, mode: 0o700 });
  try {
    const settings = await settingsOf(place, folder, request);
    if ('failure' in settings) return settings;
    return await work(await makeView(place, folder, settings, request));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function settingsOf(
  place: RepositoryPlace,
  folder: string,
  request: OpenRequest,
): Promise<KeptSettings | Refusal> {
  const shared = await listSettings(join(place.commonFolder, 'config'), folder, request);
  if ('failure' in shared) return shared;
  const hasOwn = shared.some(({ key, value }) => key === 'extensions.worktreeconfig' && value !== 'false');
  const own = hasOwn ? await listSettings(join(place.gitFolder, 'config.worktree'), folder, request) : [];
  if ('failure' in own) return own;
  const settings = keepSettings([...shared, ...own]);
  return problemOf(settings, place, request.gitFolder !== undefined) ?? settings;
}

/** Git reads the file as one of values: nothing of it takes effect, and included files are not opened. */
async function listSettings(file: string, folder: string, request: OpenRequest): Promise<Setting[] | Refusal> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return [];
  if (!found.isFile() || found.size > largestConfig) return unreadable('is no regular file of a usual size');
  const result = await runGit(['config', '--file', file, '--no-includes', '--list', '-z'], {
    gitFolder: folder,
    workTree: request.stateFolder,
    indexFile: join(folder, 'index'),
    searchPath: request.searchPath,
    accept: 'any',
    environment: { HOME: folder },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  return result.exitCode === 0 ? readSettings(result.stdout.toString('utf8')) : unreadable('cannot be read');
}

function unreadable(why: string): Refusal {
  return refuse(
    'corrupt-repository',
    `The configuration of this repository ${why}.`,
    'A person has to look at the file "config" in its git folder.',
  );
}

function problemOf(settings: KeptSettings, place: RepositoryPlace, isGiven: boolean): Refusal | undefined {
  if (settings.unknownExtension !== undefined) {
    return refuse(
      'unknown-format',
      `This repository uses the extension ${JSON.stringify(settings.unknownExtension)}, which is not known here.`,
      'A person can work on it with their own git.',
    );
  }
  const { workTree } = settings;
  const isMain = place.gitFolder === place.commonFolder && !isGiven;
  if (workTree === undefined || !isMain || resolve(place.gitFolder, workTree) === place.root) return undefined;
  return refuse(
    'path-refused',
    'The configuration of this repository says that its files lie in another folder (core.worktree).',
    'A person has to take core.worktree out of it, or start the server with that folder as --root.',
  );
}

const linked = ['objects', 'refs', 'logs', 'packed-refs', 'shallow', 'worktrees'];

async function makeView(
  place: RepositoryPlace,
  folder: string,
  settings: KeptSettings,
  request: OpenRequest,
): Promise<Repository> {
  const { gitFolder, commonFolder } = place;
  if (request.use === 'write' && !(await exists(join(commonFolder, 'logs')))) await mkdir(join(commonFolder, 'logs'));
  const parts = await Promise.all(
    // A link to a file that is not there yet is where git makes it.
    linked.map(async (name) => (name === 'packed-refs' || (await exists(join(commonFolder, name))) ? [name] : [])),
  );
  await linkParts(commonFolder, parts.flat(), folder, request.searchPath);
  for (const name of ['exclude', 'attributes']) {
    const content = await readRegularFile(join(commonFolder, 'info', name));
    if (content !== undefined) await writeFile(join(folder, 'info', name), content);
  }
  await writeFile(join(folder, 'config'), `${writeSettings(settings.kept)}[core]\n\tbare = false\n`);
  // By the HEAD of the common folder git knows which branch the main worktree has.
  const head = await readRegularFile(join(commonFolder, 'HEAD'));
  if (head !== undefined) await writeFile(join(folder, 'HEAD'), head);
  const indexFile = request.use === 'write' ? join(gitFolder, 'index') : join(folder, 'index');
  if (request.use === 'read') await copyIndex(join(gitFolder, 'index'), indexFile);
  const isShallow = await exists(join(commonFolder, 'shallow'));
  const { searchPath, signal } = request;
  const at = (worktree: RepositoryPlace, index: string): Repository => ({
    ...worktree,
    folder,
    settings,
    indexFile: index,
    searchPath,
    isPartialClone: settings.isPartialClone,
    isShallow,
    inWorktree: (own, root) => at({ root, gitFolder: own, commonFolder }, join(own, 'index')),
    run: gitRunner({ place: worktree, folder, indexFile: index, settings, searchPath, signal }),
  });
  return at(place, indexFile);
}

/** Dated back to the full second: git takes files that changed later than its index for unknown, and looks at them. */
async function copyIndex(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined || !found.isFile()) return;
  await copyFile(from, to);
  const second = Math.floor(found.mtimeMs / 1000);
  await utimes(to, second, second);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
