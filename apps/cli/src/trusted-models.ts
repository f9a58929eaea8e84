import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CapstanError, parseJson } from '@capstan/contracts';
import { z } from 'zod';

/** A person's yes: code of this repository may be sent to the model at this address. */
const TrustedModel = z.strictObject({
  repository: z.string(),
  endpoint: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
});
export type TrustedModel = z.infer<typeof TrustedModel>;

/** The yes for a repository, when there is one. Throws `storage-failed` for what cannot be read as one. */
export async function readTrustedModel(home: string, repository: string): Promise<TrustedModel | undefined> {
  const file = fileOf(home, repository);
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined;
    throw broken(file, cause);
  });
  if (text === undefined) return undefined;
  const parsed = TrustedModel.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.repository !== repository) throw broken(file, parsed.error);
  return parsed.data;
}

/** Remembers a yes, in place of an earlier one. */
export async function rememberTrustedModel(home: string, trust: TrustedModel): Promise<void> {
  const file = fileOf(home, trust.repository);
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(join(home, 'trusted-models'), { recursive: true, mode: 0o700 });
    await writeFile(temporary, `${JSON.stringify(trust, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CapstanError('storage-failed', `The answer could not be kept: ${reason}`, {
      hint: 'Make the data folder writable (capstan doctor says where it is).',
      cause,
    });
  }
}

/** Takes a yes back; false when there was none. */
export async function revokeTrustedModel(home: string, repository: string): Promise<boolean> {
  const known = await readTrustedModel(home, repository).catch(() => true);
  await rm(fileOf(home, repository), { force: true });
  return known !== undefined;
}

/** One file for each repository, so that two processes never write the same one for different ones. */
function fileOf(home: string, repository: string): string {
  const digest = createHash('sha256').update(repository).digest('hex').slice(0, 32);
  return join(home, 'trusted-models', `${digest}.json`);
}

function broken(file: string, cause: unknown): CapstanError {
  return new CapstanError('storage-failed', `${file} cannot be read.`, {
    hint: 'Remove it; you are asked again.',
    cause,
  });
}
