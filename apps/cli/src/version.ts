import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.ts';

/** The version of this installation. */
export function version({ installation }: Pick<Settings, 'installation'>): string {
  const manifest = JSON.parse(readFileSync(join(installation, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
