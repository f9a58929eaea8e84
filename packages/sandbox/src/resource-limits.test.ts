import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { findControlGroups } from './control-group.ts';
import { defaultLimits } from './default-limits.ts';
import { createSandboxRunner } from './index.ts';
import { descendantsOf } from './process-tree.ts';
import { kindsHere } from './testing/attack-fixture.ts';

const searchPath = process.env.PATH ?? '';
const rounds = 20;

/** Processes below this one that are in none of our control groups. */
function outside(): string[] {
  return descendantsOf(process.pid).flatMap((pid) => {
    try {
      const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
      return groups.includes('capstan-') ? [] : [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
    } catch {
      return []; // It ended while we looked.
    }
  });
}

for (const { kind, skip } of kindsHere(searchPath)) {
  suite(`T10: the beginning of a command in ${kind}`, { skip }, () => {
    test('T10: every process is bounded by its control group before the command begins', async (t) => {
      if ((await findControlGroups(defaultLimits)) === undefined)
        return t.skip('needs control groups: this process cannot make any');
      const runner = createSandboxRunner({ kind, searchPath });
      const environment = { PATH: '/usr/bin:/bin' };
      const profile = { binds: [], masked: [], environment, workingDirectory: '/tmp', limits: defaultLimits };
      const found: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        let looked = false;
        const onOutput = () => {
          if (!looked) found.push(...outside());
          looked = true;
        };
        await runner.run({ argv: ['/bin/sh', '-c', 'sleep 0.2 & echo begun; wait'], profile, onOutput });
        assert.ok(looked);
      }
      assert.deepEqual(found, []);
    });
  });
}
