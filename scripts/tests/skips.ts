import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { TestSkip } from './summary.ts';

/** What a machine may lack. `always` is for tests that wait for something outside of this repository. */
const Condition = z.enum(['no-bubblewrap', 'no-namespaces', 'no-older-node', 'root', 'not-root', 'always']);
export type Condition = z.infer<typeof Condition>;

const SkipRule = z.strictObject({
  test: z.string().describe('Id of a test, `*` stands for anything: "packages/sandbox/src/bubblewrap.test.ts#*"'),
  when: Condition.describe('The skip is allowed on machines of this kind only'),
  reason: z.string().min(1),
});
export type SkipRule = z.infer<typeof SkipRule>;

/** The committed list of tests that may be skipped. */
export function readSkipRules(root: string): SkipRule[] {
  return z.array(SkipRule).parse(JSON.parse(readFileSync(join(root, 'tests', 'skips.json'), 'utf8')));
}

/** The skips that no rule allows under the conditions that hold. */
export function unlistedSkips(
  skips: readonly TestSkip[],
  rules: readonly SkipRule[],
  conditions: ReadonlySet<Condition>,
): TestSkip[] {
  const inForce = rules.filter((rule) => conditions.has(rule.when)).map((rule) => matcher(rule.test));
  return skips.filter((skip) => !inForce.some((pattern) => pattern.test(skip.id)));
}

/** Which conditions hold on this machine, for this user. */
export function testConditions(): ReadonlySet<Condition> {
  const conditions = new Set<Condition>(['always', process.getuid?.() === 0 ? 'root' : 'not-root']);
  if (!succeeds('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true'])) conditions.add('no-bubblewrap');
  if (!succeeds('unshare', ['--user', '--map-root-user', 'true'])) conditions.add('no-namespaces');
  if (!hasOlderNode()) conditions.add('no-older-node');
  return conditions;
}

function hasOlderNode(): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    const { stdout } = spawnSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' });
    return /^v2[0-3]\./.test(stdout ?? '');
  });
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args).status === 0;
}

function matcher(pattern: string): RegExp {
  const escaped = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's');
}
