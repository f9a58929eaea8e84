import { posix } from 'node:path';
import type { TestCase, TestStatus } from '@capstan/contracts';
import { plainText } from '../plain-text.ts';

/** A test as a report names it, before it has its id. */
export interface FoundTest {
  readonly file: string | undefined;
  /** From the outermost suite to the test. */
  readonly path: readonly string[];
  readonly status: TestStatus;
  readonly message?: string | undefined;
  readonly milliseconds?: number | undefined;
}

const SEPARATOR = ' > ';
const MESSAGE_LENGTH = 2000;

/**
 * Gives found tests their ids: file, then the names from suite to test; what appears again gets "#2". The order of
 * the report decides between namesakes, so the same run of the same code gives the same ids. `folder` is where the runner
 * ran, relative to `root`.
 */
export function testCases(found: readonly FoundTest[], root: string, folder = '.'): TestCase[] {
  const seen = new Map<string, number>();
  return found.map((test) => {
    const file = test.file === undefined ? undefined : relativeTo(root, test.file, folder);
    const names = test.path.map(printable).filter((name) => name !== '');
    const name = names.join(SEPARATOR) || (file ?? 'unnamed');
    const plain = file === undefined || name === file ? name : `${file}${SEPARATOR}${name}`;
    return {
      id: distinct(plain, seen),
      ...(file === undefined ? {} : { file }),
      name,
      status: test.status,
      ...(test.message === undefined
        ? {}
        : {
            message: plainText(test.message.slice(0, 2 * MESSAGE_LENGTH))
              .slice(0, MESSAGE_LENGTH)
              .toWellFormed(),
          }),
      ...(isDuration(test.milliseconds) ? { durationMs: test.milliseconds } : {}),
    };
  });
}

function distinct(plain: string, seen: Map<string, number>): string {
  let count = (seen.get(plain) ?? 0) + 1;
  let id = count === 1 ? plain : `${plain} #${count}`;
  while (count > 1 && seen.has(id)) {
    count += 1;
    id = `${plain} #${count}`;
  }
  seen.set(plain, count);
  if (id !== plain) seen.set(id, 1);
  return id;
}

/** A path relative to the repository, "/" between folders; `folder` is where the runner ran. Paths outside stay as they are. */
function relativeTo(root: string, path: string, folder: string): string {
  const plain = printable(path.replace(/^file:\/\//, ''));
  const prefix = root.endsWith('/') ? root : `${root}/`;
  if (plain.startsWith(prefix)) return plain.slice(prefix.length);
  return plain.startsWith('/') || folder === '.' ? plain.replace(/^\.\//, '') : posix.join(folder, plain);
}

function printable(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
}

function isDuration(milliseconds: number | undefined): milliseconds is number {
  return milliseconds !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0;
}
