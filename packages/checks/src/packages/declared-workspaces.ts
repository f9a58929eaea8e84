import { parseJson } from '@capstan/contracts';
import { z } from 'zod';
import type { RepositoryReader } from '../repository-reader.ts';

const Names = z.array(z.string()).catch([]);
const Manifest = z.looseObject({
  workspaces: z
    .union([z.array(z.string()), z.looseObject({ packages: Names })])
    .optional()
    .catch(undefined),
  packages: Names.optional().catch(undefined),
});

/** Patterns of the workspaces that npm, yarn, bun, pnpm or lerna are told of in the root, without those that exclude. */
export async function declaredWorkspaces(reader: RepositoryReader): Promise<string[]> {
  const { workspaces } = await readManifest(reader, 'package.json');
  const lerna = await readManifest(reader, 'lerna.json');
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  const patterns = [
    ...listed,
    ...(lerna.packages ?? []),
    ...pnpmPatterns(await reader.readText('pnpm-workspace.yaml')),
  ];
  return [...new Set(patterns.filter((pattern) => !pattern.startsWith('!')))];
}

async function readManifest(reader: RepositoryReader, path: string): Promise<z.infer<typeof Manifest>> {
  return Manifest.safeParse(parseJson(await reader.readText(path))).data ?? {};
}

/** The list `packages` of a pnpm-workspace.yaml, in the form in which it is written everywhere: one item a line. */
function pnpmPatterns(text: string | undefined): string[] {
  const patterns: string[] = [];
  let inside = false;
  for (const line of (text ?? '').split('\n')) {
    if (/^\S/.test(line) && !line.startsWith('#') && !line.startsWith('-')) inside = /^packages\s*:/.test(line);
    const item = /^\s*-\s+(?:"([^"]*)"|'([^']*)'|([^#\s]+))/.exec(line);
    if (inside && item !== null) patterns.push(item[1] ?? item[2] ?? item[3] ?? '');
  }
  return patterns;
}
