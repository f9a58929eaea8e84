import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { CheckoutChange } from './checkout-change.ts';

const recordName = /^(\d{4,})\.json$/;

/**
 * A session's changes of the checkout, in its own folder: `changes/0001.json`, and in `changes/0001/` the bytes that the
 * checkout had before. On the disk before a method returns.
 */
export class ChangeJournal {
  readonly #folder: string;

  /** `folder` is that of the session. */
  constructor(folder: string) {
    this.#folder = join(folder, 'changes');
  }

  /** In the order in which they were made. */
  async all(): Promise<CheckoutChange[]> {
    const names = await readdir(this.#folder).catch(noneIfMissing);
    const numbers = names.flatMap((name) => recordName.exec(name)?.[1] ?? []).map(Number);
    return Promise.all(numbers.sort((a, b) => a - b).map((number) => this.#read(number)));
  }

  /** Records a change that is about to begin; `keep` has the bytes of every `before`, by git's id. */
  async begin(
    draft: Omit<CheckoutChange, 'number' | 'state'>,
    keep: ReadonlyMap<string, Buffer>,
  ): Promise<CheckoutChange> {
    const number = ((await this.all()).at(-1)?.number ?? 0) + 1;
    const folder = this.#bytesFolder(number);
    // Without a record it is what a process left that died before it could write one.
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [blob, bytes] of keep) await writeThrough(join(folder, blob), bytes);
    await syncFolder(folder);
    return this.settle({ ...draft, number, state: 'begun' });
  }

  /** Replaces the record of a change: all of it or not at all. */
  async settle(change: CheckoutChange): Promise<CheckoutChange> {
    const path = this.#recordPath(change.number);
    await rm(`${path}.new`, { force: true });
    await writeThrough(`${path}.new`, Buffer.from(JSON.stringify(change)));
    await rename(`${path}.new`, path);
    await syncFolder(this.#folder);
    return change;
  }

  /** The bytes that the checkout had before a change. */
  bytesBefore({ number }: CheckoutChange, blob: string): Promise<Buffer> {
    return readFile(join(this.#bytesFolder(number), blob)).catch((cause: unknown) => {
      throw damaged(this.#bytesFolder(number), cause);
    });
  }

  /** Gives the disk back what nothing can ask for again. */
  async forgetBytes({ number }: CheckoutChange): Promise<void> {
    await rm(this.#bytesFolder(number), { recursive: true, force: true });
  }

  async #read(number: number): Promise<CheckoutChange> {
    const path = this.#recordPath(number);
    try {
      return CheckoutChange.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (cause) {
      throw damaged(path, cause);
    }
  }

  #recordPath(number: number): string {
    return join(this.#folder, `${String(number).padStart(4, '0')}.json`);
  }

  #bytesFolder(number: number): string {
    return join(this.#folder, String(number).padStart(4, '0'));
  }
}

function damaged(path: string, cause: unknown): CapstanError {
  return new CapstanError('workspace-lost', `What this session wrote down of its apply is damaged or gone: ${path}`, {
    hint: 'Nothing was changed now. Compare the checkout with the diff by hand: capstan diff SESSION',
    cause,
  });
}

function noneIfMissing(cause: NodeJS.ErrnoException): string[] {
  if (cause.code === 'ENOENT') return [];
  throw cause;
}

async function writeThrough(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
