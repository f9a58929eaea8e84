import { posix } from 'node:path';
import { Marked } from 'marked';
import { linkTarget } from './link-target.ts';
import type { Page } from './read-pages.ts';

const style = `:root { color-scheme: light dark; --line: #8885; --soft: #8882; }
body { font: 16px/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem; }
nav { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: .5rem; }
nav a { margin-right: 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
code { background: var(--soft); border-radius: .2rem; padding: .1em .25em; }
pre { background: var(--soft); border-radius: .3rem; overflow-x: auto; padding: .8rem; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
blockquote { border-left: 3px solid var(--line); margin-left: 0; padding-left: 1rem; }`;

/** Nothing is loaded and nothing is run: the pages can be opened from a folder. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:";

export interface Site {
  /** Paths of all pages, relative to the root of the repository. */
  readonly pages: ReadonlySet<string>;
  /** Links at the head of every page: their text and the page that they lead to. */
  readonly navigation: readonly (readonly [string, string])[];
}

/** A page as one HTML file that stands at `output`. HTML in the Markdown is shown, not taken over. */
export function renderPage(page: Page, output: string, site: Site): string {
  const href = (path: string, anchor?: string): string =>
    `${relative(output, htmlPath(path))}${anchor === undefined ? '' : `#${anchor}`}`;
  const navigation = site.navigation
    .map(([text, path]) => `<a href="${href(path)}">${escapeHtml(text)}</a>`)
    .join('\n');
  const markdown = new Marked();
  const slugs = [...page.anchors];
  let heading = 0;
  markdown.use({
    renderer: {
      heading({ tokens, depth }) {
        const id = slugs[heading] ?? '';
        heading += 1;
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href: link, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = linkTarget(page.path, link);
        if (target === undefined) return `<a href="${escapeHtml(link)}" rel="noreferrer">${text}</a>`;
        // Source files and folders are not part of the site.
        return site.pages.has(target.path)
          ? `<a href="${escapeHtml(href(target.path, target.anchor))}">${text}</a>`
          : text;
      },
      image: ({ text }) => escapeHtml(text),
      html: ({ text, block }) =>
        /^<!--[\s\S]*-->\s*$/.test(text) ? '' : block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text),
    },
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeHtml(page.title)} - Capstan</title>
<style>
${style}
</style>
</head>
<body>
<nav>
${navigation}
</nav>
<main>
${markdown.parser(page.tokens)}</main>
</body>
</html>
`;
}

/** Where a page stands in the site. */
export function htmlPath(page: string): string {
  return page === 'docs/README.md' ? 'index.html' : page.replace(/\.md$/, '.html');
}

function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
