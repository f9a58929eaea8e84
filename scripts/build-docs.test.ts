import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { lexer } from 'marked';
import { buildDocs } from './build-docs.ts';
import { plantTree } from './checks/planted-tree.ts';
import { renderPage } from './docs/render-page.ts';

test('every link of the built pages leads to a page with that id, and nothing is loaded from elsewhere', (context) => {
  const folder = plantTree(context, {});
  const paths = buildDocs(folder);
  assert.ok(paths.includes('index.html') && paths.includes('README.html'));
  for (const path of paths) {
    const html = readFileSync(join(folder, path), 'utf8');
    assert.doesNotMatch(html, /<(script|link|img|iframe|object)\b/i, path);
    for (const [, href = ''] of html.matchAll(/<a href="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue;
      const [file = '', anchor] = href.split('#', 2);
      const target = file === '' ? join(folder, path) : join(folder, dirname(path), decodeURIComponent(file));
      assert.ok(existsSync(target), `${path}: ${href}`);
      if (anchor !== undefined) assert.ok(readFileSync(target, 'utf8').includes(`id="${anchor}"`), `${path}: ${href}`);
    }
  }
});

test('HTML and addresses of a page cannot become markup', () => {
  const text = '# A <b>\n\n<script>alert(1)</script>\n\n[x](https://example.com/"onclick="y) <!-- note -->\n';
  const page = {
    path: 'a.md',
    tokens: lexer(text),
    title: 'A <b>',
    anchors: new Set(['a-b']),
    links: [],
    shellBlocks: [],
    tables: [],
  };
  const html = renderPage(page, 'a.html', { pages: new Set(['a.md']), navigation: [] });
  assert.doesNotMatch(html, /<script|<b>|"onclick=/);
  assert.match(html, /<h1 id="a-b">A &lt;b&gt;<\/h1>/);
  assert.match(html, /&lt;script&gt;/);
});
