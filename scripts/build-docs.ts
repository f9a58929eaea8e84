// `node scripts/build-docs.ts OUT`: every document of the repository as HTML, in a folder that can be opened as it is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDocs } from './check-docs.ts';
import { committedFiles } from './checks/committed-files.ts';
import { readPages } from './docs/read-pages.ts';
import { htmlPath, renderPage, type Site } from './docs/render-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Writes the pages of the repository below `folder` and returns their paths there. */
export function buildDocs(folder: string): string[] {
  const pages = readPages(root, committedFiles(root));
  const site: Site = {
    pages: new Set(pages.map(({ path }) => path)),
    navigation: [
      ['Documents', 'docs/README.md'],
      ['README', 'README.md'],
      ['Architecture', 'ARCHITECTURE.md'],
      ['Contributing', 'CONTRIBUTING.md'],
    ],
  };
  return pages.map((page) => {
    const path = htmlPath(page.path);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), renderPage(page, path, site));
    return path;
  });
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    process.stderr.write('usage: node scripts/build-docs.ts OUT\n');
    process.exitCode = 2;
  } else {
    const problems = checkDocs(root);
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.stdout.write(`${buildDocs(folder).length} pages in ${join(folder, 'index.html')} and below\n`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  }
}
