import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../packages/contracts/src/error.ts';
import { committedFiles } from './checks/committed-files.ts';
import { checkCommand } from './docs/check-command.ts';
import { linkTarget } from './docs/link-target.ts';
import { type Page, readPages } from './docs/read-pages.ts';
import { shownCommands } from './docs/shown-commands.ts';

const index = 'docs/README.md';
const troubleshooting = 'docs/troubleshooting.md';

/**
 * What is wrong in the documents: links and anchors that lead nowhere, commands that do not exist as they are shown, pages
 * that the index does not lead to, error codes that nothing is said about.
 */
export function checkDocs(root: string, files: readonly string[] = committedFiles(root)): string[] {
  const pages = readPages(root, files);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const scripts = npmScripts(root);
  return [
    ...pages.flatMap((page) => linkProblems(root, page, byPath)),
    ...pages.flatMap((page) => commandProblems(page, scripts)),
    ...unreachable(pages, byPath),
    ...errorCodeProblems(byPath.get(troubleshooting)),
  ];
}

type Pages = ReadonlyMap<string, Page>;

function linkProblems(root: string, page: Page, pages: Pages): string[] {
  return page.links.flatMap((link) => {
    const target = linkTarget(page.path, link);
    if (target === undefined) return [];
    if (target.path.startsWith('..')) return [`${page.path}: ${link} leads out of the repository`];
    if (!existsSync(join(root, target.path))) return [`${page.path}: ${link} leads nowhere`];
    const anchors = pages.get(target.path)?.anchors;
    if (target.anchor === undefined || anchors === undefined || anchors.has(target.anchor)) return [];
    return [`${page.path}: ${link}: ${target.path} has no heading #${target.anchor}`];
  });
}

function commandProblems(page: Page, scripts: ReadonlySet<string>): string[] {
  return page.shellBlocks.flatMap(shownCommands).flatMap((words) => {
    const problem = checkCommand(words, scripts);
    return problem === undefined ? [] : [`${page.path}: \`${words.join(' ')}\`: ${problem}`];
  });
}

/** Pages below `docs/` that no way of links from the index leads to. */
function unreachable(pages: readonly Page[], byPath: Pages): string[] {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const page = byPath.get(path);
    if (page === undefined || reached.has(path)) return;
    reached.add(path);
    for (const link of page.links) visit(linkTarget(path, link)?.path ?? '');
  };
  visit(index);
  return pages
    .filter(({ path }) => path.startsWith('docs/') && !reached.has(path))
    .map(({ path }) => `${path}: no way of links from ${index} leads here`);
}

/** The table of error codes has a row for each, with its exit code, and no other. */
function errorCodeProblems(page: Page | undefined): string[] {
  if (page === undefined) return [`${troubleshooting} is missing`];
  const rows = page.tables.flat().filter(([code]) => /^`[a-z-]+`$/.test(code ?? ''));
  const told = new Map(rows.map(([code = '', exit = '']) => [code.slice(1, -1), exit]));
  const known = Object.entries(errorCodes).map(([code, { exit }]) => [code, String(exit)] as const);
  return [
    ...known.flatMap(([code, exit]) =>
      told.get(code) === exit ? [] : [`${troubleshooting}: the error code ${code} needs a row with exit code ${exit}`],
    ),
    ...[...told.keys()]
      .filter((code) => !Object.hasOwn(errorCodes, code))
      .map((code) => `${troubleshooting}: there is no error code ${code}`),
  ];
}

function npmScripts(root: string): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts?: Record<string, string> };
  return new Set(Object.keys(manifest.scripts ?? {}));
}
