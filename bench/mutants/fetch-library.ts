import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from './library.ts';

/** Brings a library from the npm registry into `folder` and returns the text of its module. Nothing of it is installed or run. */
export function fetchLibrary({ name, version, file }: Library, folder: string): string {
  const into = join(folder, name);
  mkdirSync(into, { recursive: true });
  const packed = spawnSync('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: into, encoding: 'utf8' });
  const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
  if (packed.status !== 0 || archive === '') throw new Error(`npm pack ${name}@${version} failed: ${packed.stderr}`);
  const taken = spawnSync('tar', ['-xzf', archive, `package/${file}`], { cwd: into, encoding: 'utf8' });
  if (taken.status !== 0) throw new Error(`${name}: ${taken.stderr}`);
  return readFileSync(join(into, 'package', file), 'utf8');
}
