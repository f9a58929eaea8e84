import { isTrustBearingPath, walkFiles } from '@capstan/workspace';

const mostSeen = 50_000;
const mostListed = 200;

/** Files of a checkout that can steer agents or run code, for a person to have seen: ignored ones are left out. */
export async function steeringFiles(root: string): Promise<{ readonly files: string[]; readonly complete: boolean }> {
  const files: string[] = [];
  let seen = 0;
  const walked = await walkFiles(root, '.', { depth: 20, ignore: true }, async ({ path, kind }) => {
    seen += 1;
    if (kind !== 'folder' && isTrustBearingPath(path)) files.push(path);
    return seen < mostSeen && files.length < mostListed;
  });
  return { files, complete: 'complete' in walked && walked.complete };
}
