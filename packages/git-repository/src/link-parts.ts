import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Links parts of one folder under their names into another one. By a program: to make links itself, a process under
 * `node --permission` would need the right to write everywhere.
 */
export async function linkParts(
  from: string,
  names: readonly string[],
  into: string,
  searchPath: string,
): Promise<void> {
  const places = names.map((name) => join(from, name));
  await promisify(execFile)('ln', ['-s', '--', ...places, `${into}/`], { cwd: into, env: { PATH: searchPath } });
}
