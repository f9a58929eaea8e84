import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { errorCode, sha256 } from '@capstan/workspace';
import { type ChangeJournal, ChangeRecord } from './change-record.ts';

const intentEnd = '.intent.json';

/** The journal in a folder: `changes/<id>.intent.json`, renamed to `.done.json`, and `contents/<sha256>`; each is written whole. */
export class FileJournal implements ChangeJournal {
  readonly #changes: string;
  readonly #contents: string;

  constructor(folder: string) {
    this.#changes = join(folder, 'changes');
    this.#contents = join(folder, 'contents');
  }

  async open(): Promise<void> {
    await mkdir(this.#changes, { recursive: true, mode: 0o700 });
    await mkdir(this.#contents, { recursive: true, mode: 0o700 });
  }

  async load(id: string): Promise<{ record: ChangeRecord; done: boolean } | undefined> {
    const finished = await readIfPresent(this.#donePath(id));
    const text = finished ?? (await readIfPresent(this.#intentPath(id)));
    if (text === undefined) return undefined;
    return { record: ChangeRecord.parse(JSON.parse(text.toString('utf8'))), done: finished !== undefined };
  }

  async save(record: ChangeRecord): Promise<void> {
    await writeDurably(this.#intentPath(record.id), Buffer.from(JSON.stringify(record)));
  }

  async finish(id: string): Promise<void> {
    await rename(this.#intentPath(id), this.#donePath(id));
  }

  async discard(id: string): Promise<void> {
    await rm(this.#intentPath(id), { force: true });
  }

  async keep(bytes: Uint8Array): Promise<string> {
    const digest = sha256(bytes);
    const path = join(this.#contents, digest);
    const present = await readIfPresent(path);
    if (present === undefined || sha256(present) !== digest) await writeDurably(path, bytes);
    return digest;
  }

  async content(digest: string): Promise<Buffer> {
    const bytes = await readIfPresent(join(this.#contents, digest));
    if (bytes !== undefined && sha256(bytes) === digest) return bytes;
    throw new CapstanError(
      'storage-failed',
      `The kept content ${digest} is ${bytes === undefined ? 'missing' : 'damaged'}.`,
    );
  }

  /** Records of calls that did not come to their end, for cleaning up after a process that died. */
  async unfinished(): Promise<ChangeRecord[]> {
    const names = (await readdir(this.#changes)).filter((name) => name.endsWith(intentEnd));
    const loaded = await Promise.all(names.map((name) => this.load(name.slice(0, -intentEnd.length))));
    return loaded.flatMap((found) => (found === undefined || found.done ? [] : [found.record]));
  }

  #intentPath(id: string): string {
    return join(this.#changes, `${id}${intentEnd}`);
  }

  #donePath(id: string): string {
    return join(this.#changes, `${id}.done.json`);
  }
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
