import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { isHiddenStyle } from './hidden-style.ts';
import { TextWriter } from './text-writer.ts';

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;
type Element = DefaultTreeAdapterTypes.Element;

/** What people would read on a page, and how much of the rest was left out. */
export interface PageText {
  readonly title: string;
  readonly text: string;
  /** Elements that are not shown to people although they hold text. */
  readonly hiddenElements: number;
  readonly comments: number;
}

/** Never text for people. */
const silent = new Set([
  ...['script', 'style', 'noscript', 'template', 'head', 'iframe', 'object', 'embed', 'canvas', 'svg', 'math'],
  ...['video', 'audio', 'datalist', 'frameset', 'noframes'],
]);
const blocks = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'dd', 'details', 'dialog', 'div', 'dl', 'dt', 'fieldset'],
  ...['figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'legend', 'li'],
  ...[
    'main',
    'nav',
    'ol',
    'p',
    'pre',
    'section',
    'summary',
    'table',
    'tbody',
    'textarea',
    'tfoot',
    'thead',
    'tr',
    'ul',
  ],
]);
const prefixes: Readonly<Record<string, string>> = {
  ...{ h1: '# ', h2: '## ', h3: '### ', h4: '#### ', h5: '##### ', h6: '###### ' },
  li: '- ',
};

/**
 * Turns a page into readable text with headings, lists and links. Hidden text and comments are dropped and counted: a page
 * must not say to a model what it does not say to people. Style sheets are not applied. Time is linear in the page.
 */
export function htmlToText(html: string, base: URL): PageText {
  const reader = new PageReader(base);
  reader.run(parse(html));
  return reader.result();
}

type Step = { readonly node: Node } | { readonly leave: () => void };

class PageReader {
  readonly #base: URL;
  readonly #writer = new TextWriter();
  // A stack of our own: pages nest deeper than functions can call each other.
  readonly #steps: Step[] = [];
  #title = '';
  #hidden = 0;
  #comments = 0;

  constructor(base: URL) {
    this.#base = base;
  }

  run(document: Node): void {
    this.#steps.push({ node: document });
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      if ('leave' in step) step.leave();
      else this.#visit(step.node);
    }
  }

  result(): PageText {
    return { title: this.#title, text: this.#writer.text(), hiddenElements: this.#hidden, comments: this.#comments };
  }

  #visit(node: Node): void {
    if (node.nodeName === '#comment') this.#comments += 1;
    else if ('value' in node) this.#writer.words(node.value);
    else if ('tagName' in node) this.#visitElement(node);
    else if ('childNodes' in node) this.#descend(node.childNodes);
  }

  #visitElement(element: Element): void {
    const { tagName } = element;
    if (tagName === 'head') this.#readHead(element);
    if (silent.has(tagName)) return;
    if (isHidden(element)) {
      this.#hidden += 1;
      return;
    }
    this.#enter(element);
    this.#descend(element.childNodes);
  }

  #readHead(head: Element): void {
    this.#title = titleOf(head);
    this.#comments += head.childNodes.filter((node) => node.nodeName === '#comment').length;
  }

  #enter(element: Element): void {
    const { tagName } = element;
    const writer = this.#writer;
    if (tagName === 'br') writer.line();
    if (tagName === 'img') writer.words(imageText(element));
    if (tagName === 'td' || tagName === 'th') this.#steps.push({ leave: () => writer.mark(' | ') });
    if (tagName === 'a') this.#enterLink(element);
    if (tagName === 'pre' || tagName === 'textarea') this.#steps.push({ leave: writer.keepSpaces() });
    if (!blocks.has(tagName)) return;
    writer.line(prefixes[tagName]);
    this.#steps.push({ leave: () => writer.line() });
  }

  #enterLink(element: Element): void {
    const url = URL.parse(attribute(element, 'href') ?? '', this.#base.href);
    if (url === null || !/^https?:$/u.test(url.protocol) || url.href.length > 500) return;
    const writer = this.#writer;
    writer.mark('[');
    this.#steps.push({ leave: () => writer.mark(`](${url.href})`) });
  }

  #descend(children: readonly Node[]): void {
    for (let index = children.length - 1; index >= 0; index -= 1) {
      const node = children[index];
      if (node !== undefined) this.#steps.push({ node });
    }
  }
}

function isHidden(element: Element): boolean {
  if (attribute(element, 'hidden') !== undefined || attribute(element, 'aria-hidden') === 'true') return true;
  if (element.tagName === 'dialog') return attribute(element, 'open') === undefined;
  const style = attribute(element, 'style');
  return style !== undefined && isHiddenStyle(style.slice(0, 2000));
}

function titleOf(head: Element): string {
  const title = head.childNodes.find((node) => node.nodeName === 'title');
  const [text] = title !== undefined && 'childNodes' in title ? title.childNodes : [];
  return text !== undefined && 'value' in text ? text.value.replace(/\s+/gu, ' ').trim() : '';
}

function imageText(element: Element): string {
  const alt = attribute(element, 'alt')?.trim() ?? '';
  return alt === '' ? '' : `[image: ${alt}]`;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}
