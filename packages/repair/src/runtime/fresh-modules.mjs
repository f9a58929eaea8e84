// Lets one process load the same modules again and again: each test file gets instances of its own, as in a process of
// its own, so that what one file leaves in a module is not seen by the next.
import * as moduleApi from 'node:module';
import { pathToFileURL } from 'node:url';

const { cache } = moduleApi.createRequire(import.meta.url);
const MARK = 'capstan';
let inside;
let generation = 0;

// Node before 22.15 has no such hooks: there only CommonJS modules are loaded afresh.
moduleApi.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isImport = context.conditions?.includes('import') ?? false;
    if (generation === 0 || !isImport || !isOwn(found.url)) return found;
    return { ...found, url: marked(found.url) };
  },
});

function isOwn(url) {
  return inside !== undefined && url.startsWith(inside) && !url.includes('/node_modules/');
}

function marked(url) {
  const target = new URL(url);
  target.searchParams.set(MARK, String(generation));
  return target.href;
}

/** From now on the modules below `root` are loaded afresh; for the first of them nothing has to be done. */
export function freshModules(root, isFirst) {
  inside = `${pathToFileURL(root).href}/`;
  generation = isFirst ? 0 : generation + 1;
  if (isFirst) return;
  for (const path of Object.keys(cache)) {
    if (path.startsWith(`${root}/`) && !path.includes('/node_modules/')) delete cache[path];
  }
}
