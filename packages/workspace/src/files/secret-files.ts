import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isSecretPath } from '../paths/index.ts';

const SKIPPED = new Set(['.git', 'node_modules']);
const KEY_MATERIAL = /\.(pem|key|p12|pfx|jks|keystore)$/i;
const TEST_DATA = /(^|\/)(tests?|__tests__|specs?|fixtures?|__fixtures__|testdata)\//i;

/**
 * The files and folders of a workspace that hold secrets, absolute: they are masked in the sandbox. Keys among test
 * data are none: tests of TLS code bring their own.
 */
export async function secretFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (SKIPPED.has(entry.name)) continue;
      if (isSecretPath(name) && !(TEST_DATA.test(name) && KEY_MATERIAL.test(name))) found.push(path);
      else if (entry.isDirectory()) pending.push(path);
    }
  }
  return found.sort();
}
