import { relative, resolve } from 'node:path';
import { protectedPaths } from '@capstan/workspace';
import { isPathKey, type RuleBreak, realOf, toPath } from './path-rules.ts';
import { isContentKey, textArguments } from './text-arguments.ts';

/** The first argument of a call that changes something which configuration protects from changes. */
export async function findProtectedBreak(
  input: Readonly<Record<string, unknown>>,
  root: string,
  patterns: readonly string[],
): Promise<RuleBreak | undefined> {
  if (patterns.length === 0) return undefined;
  const isProtected = protectedPaths(patterns);
  for (const { key, value } of textArguments(input)) {
    if (isContentKey(key) || !isPathKey(key)) continue;
    const full = resolve(root, toPath(value) ?? value);
    const real = relative(await realOf(root), await realOf(full));
    if (isProtected(relative(root, full)) || isProtected(real)) {
      const message = `${JSON.stringify(value.slice(0, 200))} is protected by the configuration and is not changed.`;
      return { rule: 'protected-path', message };
    }
  }
  return undefined;
}
