import {
  byteOrderMark,
  checkRelativePath,
  checkWritable,
  decodeText,
  encodeText,
  foldLineEnds,
  lineEndAt,
  type Refusal,
  refuse,
  unrepresentable,
} from '@capstan/workspace';
import { type Change, type FileState, readState } from './change.ts';
import { checkHash } from './check-hash.ts';

export interface WriteRequest {
  readonly path: string;
  readonly content: string;
  readonly overwrite: boolean;
  readonly ifHash?: string | undefined;
}

/** Works out what writing whole files would do. An existing file keeps its mode, encoding, byte order mark and line ends. */
export async function planWrites(root: string, files: readonly WriteRequest[]): Promise<Change[] | Refusal> {
  const changes = new Map<string, Change>();
  for (const file of files) {
    const change = await planWrite(root, file);
    if ('failure' in change) return change;
    if (changes.has(change.path)) {
      return refuse('bad-argument', `${JSON.stringify(change.path)} is named twice.`, 'Name each file once.');
    }
    changes.set(change.path, change);
  }
  return [...changes.values()];
}

async function planWrite(root: string, file: WriteRequest): Promise<Change | Refusal> {
  const checked = checkRelativePath(file.path);
  if ('failure' in checked) return checked;
  const { path } = checked;
  const blocked = await checkWritable(root, path);
  if (blocked !== undefined) return blocked;
  const before = await readState(root, path);
  if (before !== undefined && 'failure' in before) return before;
  const stale = checkHash(path, before, file.ifHash);
  if (stale !== undefined) return stale;
  if (before !== undefined && file.ifHash === undefined && !file.overwrite) {
    return refuse(
      'exists',
      `There is already a file at ${JSON.stringify(path)}.`,
      'Use edit_files to change it, or give ifHash (or overwrite: true) to replace it.',
    );
  }
  const encoded = encodeLike(before, file.content, path);
  if ('failure' in encoded) return encoded;
  return { path, before, after: encoded.bytes, notes: encoded.notes };
}

function encodeLike(
  before: FileState | undefined,
  content: string,
  path: string,
): { bytes: Buffer; notes: string[] } | Refusal {
  const old = before === undefined ? undefined : decodeText(before.bytes);
  const encoding = old?.encoding ?? 'utf-8';
  const bom = old?.bom ?? false;
  const body = bom && content.startsWith('\ufeff') ? content.slice(1) : content;
  const lineEnd = old === undefined ? '\n' : lineEndAt(old.text, 0);
  const text = lineEnd === '\r\n' ? foldLineEnds(body).text.replaceAll('\n', '\r\n') : body;
  const encoded = encodeText(text, encoding);
  if ('unrepresentable' in encoded) return unrepresentable(encoded.unrepresentable, { encoding }, path);
  const notes: string[] = [];
  if (encoding !== 'utf-8' || bom) notes.push(`Kept its encoding: ${encoding}${bom ? ' with byte order mark' : ''}.`);
  if (text !== body) notes.push('Kept its CRLF line ends.');
  return { bytes: bom ? Buffer.concat([byteOrderMark(encoding), encoded]) : encoded, notes };
}
