import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sumRepository } from '../faults/sum-repository.ts';
import { filesScenario, folderDigest } from './support/checkouts.ts';
import { needsSandbox } from './support/needs-sandbox.ts';
import { lastEvent, runCapstan } from './support/run-capstan.ts';

test(
  'A6 S3: a large copy is given back when its run has ended, and diff, apply and undo work without it',
  needsSandbox,
  async (t) => {
    const many = Array.from({ length: 2_100 }, (_, at) => [`data/part-${at % 30}/file-${at}.txt`, `${at}\n`] as const);
    const scenario = filesScenario(t, { ...sumRepository(), ...Object.fromEntries(many) });
    const { home, checkout } = scenario;
    const before = folderDigest(checkout);
    const task = 'make the failing tests pass';
    const finished = await runCapstan(['run', '--repo', checkout, '--json', task], { home });
    assert.equal(finished.exitCode, 0, finished.stdout + finished.stderr);
    assert.equal(folderDigest(checkout), before);
    const session = String(lastEvent(finished, 'run-end').sessionId);
    assert.deepEqual(readdirSync(join(home, 'state', 'worktrees', session, 'tree')), []);
    const shown = await runCapstan(['diff', session], { home });
    assert.match(shown.stdout, /\+.*a \+ b/);
    assert.equal((await runCapstan(['apply', session], { home })).exitCode, 0);
    assert.match(scenario.read('src/sum.mjs'), /a \+ b/);
    assert.equal((await runCapstan(['undo', session], { home })).exitCode, 0);
    assert.equal(folderDigest(checkout), before);
    assert.deepEqual(readdirSync(join(home, 'state', 'worktrees', session, 'tree')), [], 'nobody wrote the copy again');
  },
);
