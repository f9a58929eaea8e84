import { tmpdir } from 'node:os';
import { preflight, tryOverlays } from '@capstan/sandbox';

const found = await preflight({ searchPath: process.env.PATH ?? '', node: process.execPath });

/** Options for tests that run code of a repository: skipped, saying why, where no sandbox works. */
export const needsSandbox: { readonly skip: string | false } = {
  skip: found.kind === 'none' ? `needs a sandbox: ${found.detail}` : false,
};

const overlays = await tryOverlays({
  kind: found.kind,
  searchPath: process.env.PATH ?? '',
  folder: tmpdir(),
  lowers: [],
});

/** Options for tests whose repository writes into what git ignores: such a thing can be tried out only where overlays work. */
export const needsOverlays: { readonly skip: string | false } = {
  skip: overlays.kept || overlays.memory ? false : `needs overlays: ${overlays.detail}`,
};
