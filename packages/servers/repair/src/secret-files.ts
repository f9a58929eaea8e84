import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isSecretPath } from '@capstan/workspace';

const SKIPPED = new Set(['.git', 'node_modules']);
const TEST_KEYS =
  /(^|\/)(tests?|__tests__|specs?|fixtures?|__fixtures__|testdata)\/.*\.(pem|key|p12|pfx|jks|keystore)$/i;

/** Files and folders of a workspace that hold secrets, absolute: the sandbox masks them. Keys among test data stay. */
export async function secretFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (SKIPPED.has(entry.name)) continue;
      if (isSecretPath(name) && !TEST_KEYS.test(name)) found.push(path);
      else if (entry.isDirectory()) pending.push(path);
    }
  }
  return found.sort();
}
