// Copies of the workspace on the sandbox's own /tmp: candidates never see the workspace as something to write to.
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

const LEFT_OUT = new Set(['.git', '.hg', '.svn']);
const MOST_COPIED = 20_000;
/** Without `copyAll`: logs, ledgers and settings that tests may write to are of this size, in bytes, and few. */
const SMALL = 64 * 1024;
const MAX_SMALL = 50;

/**
 * Builds a copy at `to`. `texts` (path -> text) replace files. With `copyAll` the files of `modules` are copied, and of the
 * others as many as `most` says; otherwise `texts` are real files and a few small files beside them are copied. All else are
 * links: a module must not be one where another one is replaced, as it would import what lies beside its origin.
 * Dependency folders are always linked.
 */
export function copyWorkspace(from, to, { texts = {}, copyAll, modules = [], most = MOST_COPIED }) {
  const needed = new Set();
  for (const path of Object.keys(texts)) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) needed.add(folder);
  }
  const state = { from, to, texts, needed, copyAll, modules: new Set(modules), most, copied: 0 };
  copyFolder(state, '');
}

function copyFolder(state, folder) {
  mkdirSync(join(state.to, folder), { recursive: true });
  for (const entry of readdirSync(join(state.from, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.has(entry.name)) continue;
    if (entry.name === 'node_modules') linkDependencies(state, path);
    else copyEntry(state, path, entry);
  }
}

function copyEntry(state, path, entry) {
  const to = join(state.to, path);
  const text = state.texts[path];
  if (text !== undefined) writeFileSync(to, text);
  else if (entry.isDirectory() && (state.copyAll || state.needed.has(path))) copyFolder(state, path);
  else if (entry.isFile() && isCopied(state, path)) {
    state.copied += 1;
    copyFileSync(join(state.from, path), to);
  } else symlinkSync(join(state.from, path), to);
}

function isCopied(state, path) {
  if (state.copyAll) return state.copied < state.most || state.modules.has(path);
  return state.copied < MAX_SMALL && lstatSync(join(state.from, path)).size <= SMALL;
}

/** Packages of the workspace itself are linked to the copy, not to the original. */
function linkDependencies(state, path) {
  const from = join(state.from, path);
  const names = ownLinks(from, state.from);
  if (names.length === 0) {
    symlinkSync(from, join(state.to, path));
    return;
  }
  mkdirSync(join(state.to, path), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name.startsWith('@')) {
      mkdirSync(join(state.to, path, name), { recursive: true });
      for (const inner of readdirSync(join(from, name))) linkDependency(state, `${path}/${name}/${inner}`);
    } else linkDependency(state, `${path}/${name}`);
  }
}

function linkDependency(state, path) {
  const from = join(state.from, path);
  const own = ownTarget(from, state.from);
  symlinkSync(own === undefined ? from : join(state.to, own), join(state.to, path));
}

function ownLinks(folder, root) {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith('@'))
      return readdirSync(join(folder, name)).filter((inner) => ownTarget(join(folder, name, inner), root));
    return ownTarget(join(folder, name), root) === undefined ? [] : [name];
  });
}

function ownTarget(path, root) {
  if (!lstatSync(path).isSymbolicLink() || readlinkSync(path).startsWith('/proc')) return undefined;
  try {
    const inside = relative(realpathSync(root), realpathSync(path));
    return inside.startsWith('..') || inside.includes('node_modules') || inside === '' ? undefined : inside;
  } catch {
    return undefined;
  }
}
