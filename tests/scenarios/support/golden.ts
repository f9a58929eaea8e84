import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { installation } from './run-capstan.ts';

/**
 * Compares a text with its committed golden file below `tests/scenarios/golden` (`.txt` where the name has no other ending).
 * UPDATE_GOLDEN=1 writes the file, so that the change shows in git.
 */
export function matchesGolden(name: string, text: string): void {
  const file = join(installation, 'tests', 'scenarios', 'golden', extname(name) === '' ? `${name}.txt` : name);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.ok(existsSync(file), `golden file ${name} is missing; make it with UPDATE_GOLDEN=1`);
  assert.equal(text, readFileSync(file, 'utf8'), `${name} changed; UPDATE_GOLDEN=1 takes the change over`);
}
