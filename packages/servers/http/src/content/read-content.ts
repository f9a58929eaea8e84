import { parseJson } from '@capstan/contracts';
import { charsetOfPage, type Decoded, decodeGuessed, decodeNamed } from './charset.ts';
import { htmlToText, type PageText } from './html-to-text.ts';
import { type ImageType, imageType } from './image-type.ts';

/** A body as it can be shown. */
export type ReadableContent =
  | { readonly kind: 'empty' | 'binary' }
  | { readonly kind: 'image'; readonly mimeType: ImageType }
  | ({ readonly kind: 'json' | 'text' } & Decoded)
  | ({ readonly kind: 'html'; readonly page: PageText } & Decoded);

export interface ContentRequest {
  readonly bytes: Buffer;
  /** The header, as it came. */
  readonly contentType: string;
  /** For links. */
  readonly url: URL;
  /** Show the source of a page instead of its text. */
  readonly source: boolean;
}

/** Makes a body readable: text by its charset, JSON as it is, pages as text. Binary content is only recognised. */
export function readContent(request: ContentRequest): ReadableContent {
  const { bytes, contentType, url, source } = request;
  if (bytes.length === 0) return { kind: 'empty' };
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const image = imageType(bytes);
  if (image !== undefined) return { kind: 'image', mimeType: image };
  const decoded = decode(bytes, type, contentType);
  if (decoded === undefined) return { kind: 'binary' };
  if (isHtml(type, decoded.text) && !source) {
    const page = htmlToText(decoded.text, url);
    return { kind: 'html', ...decoded, text: `${page.title}\n\n${page.text}`.trim(), page };
  }
  const isJson = /\bjson$/u.test(type) && parseJson(decoded.text) !== undefined;
  return { kind: isJson ? 'json' : 'text', ...decoded };
}

function decode(bytes: Buffer, type: string, contentType: string): Decoded | undefined {
  if (isBinaryType(type)) return undefined;
  const named = /;\s*charset\s*=\s*"?([\w:-]{1,40})/iu.exec(contentType)?.[1];
  const charset = hasMark(bytes) ? undefined : (named ?? (type.endsWith('html') ? charsetOfPage(bytes) : undefined));
  const decoded = charset === undefined ? undefined : decodeNamed(bytes, charset);
  if (decoded !== undefined) return decoded;
  const guessed = decodeGuessed(bytes);
  // Any bytes pass as Latin-1: only what says that it is text is read so.
  return guessed?.charset === 'latin1' && !isTextType(type) ? undefined : guessed;
}

function isHtml(type: string, text: string): boolean {
  return (
    /^(?:text\/html|application\/xhtml\+xml)$/u.test(type) ||
    (type === '' && /^\s{0,100}<(?:!doctype html|html)/iu.test(text))
  );
}

function isTextType(type: string): boolean {
  return /^text\/|\b(?:json|xml|javascript|ecmascript|yaml|x-yaml|csv|x-www-form-urlencoded|graphql|toml|sql)$/u.test(
    type,
  );
}

function isBinaryType(type: string): boolean {
  return /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:zip|gzip|pdf|wasm|x-tar)$)/u.test(type);
}

/** A byte order mark says more than any header. */
function hasMark(bytes: Buffer): boolean {
  const [first, second, third] = bytes;
  return (
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff) ||
    (first === 0xef && second === 0xbb && third === 0xbf)
  );
}
