/** One place of a file that a patch changes. */
export interface Hunk {
  /** Context and removed lines, as they must stand in the file. */
  readonly oldText: string;
  /** Context and added lines. */
  readonly newText: string;
  /** Where it begins once the hunks before it are applied, from 1; undefined where the header does not say. */
  readonly newStart: number | undefined;
}

/** What a patch does to one file. Paths are as they stand in the patch, without "a/" and "b/". */
export interface FilePatch {
  readonly act: 'create' | 'change' | 'delete';
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

export type ParsedPatch = { readonly files: readonly FilePatch[] } | { readonly problem: string };

/** Headers of git that ask for more than text. */
const beyondText: readonly (readonly [start: RegExp, what: string])[] = [
  [/^(rename|copy) (from|to) /, 'it renames or copies a file; use move_files for that'],
  [/^GIT binary patch|^Binary files /, 'it changes a binary file'],
  [/^old mode /, 'it changes permissions'],
];

/**
 * Reads a unified diff of one or more files, with or without git's headers. The numbers of lines in hunk headers are not
 * trusted: people and models get them wrong; what counts is the text of the hunk.
 */
export function parsePatch(text: string): ParsedPatch {
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const beyond = beyondText.find(([start]) => start.test(line));
    if (beyond !== undefined) return { problem: `line ${at + 1}: ${beyond[1]}` };
    if (line.startsWith('@@'))
      return { problem: `line ${at + 1}: a hunk without "--- a/PATH" and "+++ b/PATH" above it` };
    if (!isHeader(lines, at)) {
      at += 1;
      continue;
    }
    const file = readFile(lines, at);
    if ('problem' in file) return file;
    files.push(file.patch);
    at = file.end;
  }
  return files.length === 0
    ? { problem: 'there is no "--- a/PATH" with "+++ b/PATH" below it in the patch' }
    : { files };
}

function isHeader(lines: readonly string[], at: number): boolean {
  return /^--- \S/.test(lines[at] ?? '') && /^\+\+\+ \S/.test(lines[at + 1] ?? '');
}

function readFile(lines: readonly string[], at: number): { patch: FilePatch; end: number } | { problem: string } {
  const from = pathOf(lines[at] ?? '', 'a/');
  const to = pathOf(lines[at + 1] ?? '', 'b/');
  if (from !== undefined && to !== undefined && from !== to)
    return { problem: `line ${at + 1}: ${from} would become ${to}; use move_files for that` };
  const path = to ?? from;
  if (path === undefined) return { problem: `line ${at + 1}: both names are /dev/null` };
  const hunks: Hunk[] = [];
  let end = at + 2;
  while (isHunkAt(lines, end)) {
    const hunk = readHunk(lines, end);
    if ('problem' in hunk) return hunk;
    hunks.push(hunk.hunk);
    end = hunk.end;
  }
  if (hunks.length === 0) return { problem: `line ${at + 1}: no hunk ("@@") for ${path}` };
  return { patch: { act: from === undefined ? 'create' : to === undefined ? 'delete' : 'change', path, hunks }, end };
}

/** The path of a header line: a time after a tab is dropped, /dev/null is none. */
function pathOf(header: string, prefix: 'a/' | 'b/'): string | undefined {
  const written = header.slice(4).split('\t')[0]?.trimEnd() ?? '';
  const name = unquoted(written);
  if (name === '/dev/null') return undefined;
  return name.startsWith(prefix) ? name.slice(2) : name;
}

/** git quotes names with characters that are not ASCII, as in C. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...Buffer.from(plain ?? controls[escaped ?? ''] ?? escaped ?? ''));
  }
  return Buffer.from(bytes).toString('utf8');
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function readHunk(lines: readonly string[], at: number): { hunk: Hunk; end: number } | { problem: string } {
  const header = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[at] ?? '');
  const promised = header === null ? 0 : Number(header[1] ?? 1) + Number(header[3] ?? 1);
  const before: string[] = [];
  const after: string[] = [];
  let end = at + 1;
  for (; end < lines.length && !endsHunk(lines, end, before.length + after.length < promised); end += 1) {
    const line = lines[end] ?? '';
    const [sign, rest] = [line[0] ?? ' ', `${line.slice(1)}\n`];
    if (sign === '\\') withoutLineEnd(lines[end - 1]?.[0] ?? ' ', before, after);
    else if (!/[ +-]/.test(sign)) return { problem: `line ${end + 1} begins with neither " ", "+", "-" nor "@@"` };
    if (sign === '-' || sign === ' ') before.push(rest);
    if (sign === '+' || sign === ' ') after.push(rest);
  }
  const [oldText, newText] = [before.join(''), after.join('')];
  if (oldText === newText) return { problem: `line ${at + 1}: the hunk changes nothing` };
  return { hunk: { oldText, newText, newStart: header === null ? undefined : Number(header[2]) }, end };
}

/**
 * Where a hunk ends. "--- x" and "+++ y" may be lines of it, removed and added: while it has fewer lines than its header
 * promises, they end it only if they look in full like the head of another file, for a header may promise too many.
 */
function endsHunk(lines: readonly string[], at: number, expectsMore: boolean): boolean {
  const line = lines[at] ?? '';
  if (line.startsWith('@@') || /^(diff |index |Index: |new file mode |deleted file mode )/.test(line)) return true;
  if (!expectsMore && isBetween(lines, at)) return true;
  if (!isHeader(lines, at)) return false;
  if (!expectsMore) return true;
  return (
    /^--- (a\/|\/dev\/null)/.test(line) &&
    /^\+\+\+ (b\/|\/dev\/null)/.test(lines[at + 1] ?? '') &&
    isHunkAt(lines, at + 2)
  );
}

/** Empty lines before another file or the end, and the signature that `git format-patch` puts there, are no context. */
function isBetween(lines: readonly string[], at: number): boolean {
  if (/^-- ?$/.test(lines[at] ?? '')) return lines.length - at <= 3;
  if (lines[at] !== '') return false;
  const next = lines.findIndex((line, index) => index > at && line !== '');
  return next === -1 || endsHunk(lines, next, false);
}

function isHunkAt(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith('@@') ?? false;
}

/** "\ No newline at end of file": says it of the line above. */
function withoutLineEnd(sign: string, before: string[], after: string[]): void {
  for (const side of [...(sign === '+' ? [] : [before]), ...(sign === '-' ? [] : [after])]) {
    side.push((side.pop() ?? '').replace(/\n$/, ''));
  }
}
