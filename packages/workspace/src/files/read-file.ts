import { quote } from '../paths/check-relative-path.ts';
import { openInside, readToEnd } from '../paths/open-file.ts';
import { type Refusal, refuse } from '../paths/refusal.ts';
import { sha256 } from './digest.ts';

/** Files larger than this are not read into memory. Bytes. */
export const largestFile = 16 * 1024 * 1024;

export interface FileContent {
  readonly bytes: Buffer;
  readonly sha256: string;
  /** Permission bits. */
  readonly mode: number;
}

/** Reads a whole file of the workspace by the rules of `openInside`; files over `largestFile` are refused. */
export async function readFileInside(root: string, path: string): Promise<FileContent | Refusal> {
  const file = await openInside(root, path);
  if ('failure' in file) return file;
  const bytes = await readToEnd(file, largestFile);
  if (bytes === undefined) {
    return refuse(
      'too-large',
      `${quote(path)} is larger than ${largestFile} bytes.`,
      'Search in it instead, or work on a smaller file.',
    );
  }
  return { bytes, sha256: sha256(bytes), mode: file.mode };
}

export interface FileEnd {
  readonly bytes: Buffer;
  /** Of the whole file. */
  readonly size: number;
}

/** Reads at most `length` bytes from the start or the end of a file of any size, by the rules of `openInside`. */
export async function readEndInside(
  root: string,
  path: string,
  end: 'start' | 'end',
  length: number,
): Promise<FileEnd | Refusal> {
  const file = await openInside(root, path);
  if ('failure' in file) return file;
  try {
    const wanted = Math.min(length, file.size);
    const position = end === 'start' ? 0 : file.size - wanted;
    const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(wanted), 0, wanted, position);
    return { bytes: buffer.subarray(0, bytesRead), size: file.size };
  } finally {
    await file.handle.close();
  }
}
