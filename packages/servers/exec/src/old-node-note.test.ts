import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '@capstan/contracts';
import { mayBeOldNode, oldNodeNote } from './old-node-note.ts';

const counts = { outcome: 'failed', exitCode: 1, passed: 0, failed: 0, skipped: 0, durationMs: 1 } as const;
const report: CheckReport = { checkId: 'npm:test', tests: [], ...counts };
const glob = "Could not find '/workspace/test/**/*.test.js'\n";
const types = '# TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /workspace/a.test.ts\n';

test('T8: a Node that is too old for globs or .ts files is named, with what they need', () => {
  assert.equal(oldNodeNote(report, glob, 'v20.20.2'), 'Node v20.20.2 ran these tests: globs need Node 21 or later.');
  for (const version of ['v18.1.0', 'v22.17.1', 'v23.5.0']) {
    const note = `Node ${version} ran these tests: .ts files need Node 22.18 or later.`;
    assert.equal(oldNodeNote(report, types, version), note);
  }
});

test('T8: a Node that is new enough, or another failure, gives no note', () => {
  for (const version of ['', 'v22.18.0', 'v23.6.0', 'v24.0.0']) {
    assert.equal(oldNodeNote(report, glob + types, version), undefined);
  }
  assert.equal(mayBeOldNode(report, "Could not find '/workspace/a.test.js'"), false);
  assert.equal(oldNodeNote(report, 'AssertionError', 'v18.0.0'), undefined);
});
