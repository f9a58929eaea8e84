import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installation = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program of the installed packages in a folder, under this Node: what it printed when it failed, else nothing. */
export function runTool(root: string, script: string, args: readonly string[]): string[] {
  const command = [join(installation, 'node_modules', script), ...args];
  // knip reads its configuration through jiti, which would leave a cache in the temporary folder.
  const env = { ...process.env, JITI_FS_CACHE: 'false' };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, command, { cwd: root, env, encoding: 'utf8' });
  if (error !== undefined) return [error.message];
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}
