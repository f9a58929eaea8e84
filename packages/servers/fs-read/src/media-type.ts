/** Images that models and hosts can show, by their first bytes: a name can say anything. */
const signatures: readonly (readonly [mediaType: string, test: (head: string) => boolean])[] = [
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => /^GIF8[79]a/.test(head)],
  ['image/webp', (head) => /^RIFF.{4}WEBP/s.test(head)],
];

/** The media type of an image's content; undefined for everything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(([, test]) => test(head))?.[0];
}

const textTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  py: 'text/x-python',
  svg: 'image/svg+xml',
  ts: 'text/typescript',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** The media type of a text by the end of its name. */
export function textType(path: string): string {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(textTypes, ending) ? (textTypes[ending] ?? 'text/plain') : 'text/plain';
}
