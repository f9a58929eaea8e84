import { sizes } from '@capstan/contracts';
import type { KnowledgeIndex, OpenIndex } from '@capstan/knowledge';
import { param, type Resource, type Resources, takePage } from '@capstan/tool-server';
import { decodeText, readFileInside } from '@capstan/workspace';
import { searchPatience } from './search-patience.ts';

const scheme = 'knowledge:///';
const document = /\.(md|mdx|markdown|rst|adoc|txt)$/i;
const pageSize = 100;
const mostCompletions = 100;

/** The documents of the workspace as resources: what people wrote for people, by the paths of their files. */
export function documentResources(root: string, knowledge: KnowledgeIndex): Resources {
  const paths = () => knowledge.use(searchPatience, (index) => documentPaths(index));
  return {
    templates: [
      {
        uriTemplate: `${scheme}{+path}`,
        name: 'document',
        title: 'Document of the workspace',
        description: 'A text file by its path, e.g. knowledge:///docs/guide.md',
        complete: async (_, typed) =>
          (await paths()).filter((path) => path.startsWith(typed)).slice(0, mostCompletions),
      },
    ],
    list: async (cursor) => {
      const page = takePage(await paths(), (path) => path, cursor, pageSize);
      return page === undefined ? undefined : { ...page, items: page.items.map(describe) };
    },
    read: async (uri) => {
      const path = pathOf(uri);
      if (path === undefined) return undefined;
      const read = await readFileInside(root, path);
      if ('failure' in read) return read.failure.code === 'not-found' ? undefined : read;
      const text = decodeText(read.bytes)?.text;
      if (text === undefined) return param('The content is binary.', 'Read a document that is text.');
      if (Buffer.byteLength(text) > sizes.messageLimit / 2) {
        return param('The document is too large for one message.', 'Search in it with find_text.', 'too-large');
      }
      return { contents: [{ uri, mimeType: mimeTypeOf(path), text }] };
    },
  };
}

/** In the order of code units, which pages go by. */
function documentPaths({ store }: OpenIndex): string[] {
  const texts = [...store.files().values()].filter(({ path, content }) => content === 'text' && document.test(path));
  return texts.map(({ path }) => path).sort();
}

function describe(path: string): Resource {
  return {
    uri: `${scheme}${path.split('/').map(encodeURIComponent).join('/')}`,
    name: path,
    mimeType: mimeTypeOf(path),
  };
}

function mimeTypeOf(path: string): string {
  return /\.(md|mdx|markdown)$/i.test(path) ? 'text/markdown' : 'text/plain';
}

/** Undefined for a URI of another kind. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    return undefined;
  }
}
