import { preflight } from '@capstan/sandbox';

const found = await preflight({ searchPath: process.env.PATH ?? '', node: process.execPath });

/** Options for tests that run code of a repository: skipped, saying why, where no sandbox works. */
export const needsSandbox: { readonly skip: string | false } = {
  skip: found.kind === 'none' ? `needs a sandbox: ${found.detail}` : false,
};
