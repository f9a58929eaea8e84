import { type Refusal, readFileInside } from '@capstan/workspace';

/** One file as it was found and as it shall be; `undefined` means that it is not there. */
export interface Change {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: Buffer | undefined;
  /** Permission bits of a file that is made. */
  readonly mode?: number;
  /** Set on the file that a move makes: where its content was. */
  readonly movedFrom?: string;
  /** Set on the file that a move removes. */
  readonly movedTo?: string;
  /** What the caller should know, e.g. that white space was folded. */
  readonly notes: readonly string[];
}

export interface FileState {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly mode: number;
}

/** What is at a path now: undefined when nothing is. */
export async function readState(root: string, path: string): Promise<FileState | undefined | Refusal> {
  const content = await readFileInside(root, path);
  if ('failure' in content) return content.failure.code === 'not-found' ? undefined : content;
  return content;
}
