import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeOldNode, oldNode } from './old-node.ts';

const glob = "Could not find '/workspace/test/**/*.test.js'\n";
const types = '# TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /workspace/a.test.ts\n';

test('T8: a Node that is too old for globs or .ts files is named, with what they need', () => {
  assert.equal(oldNode(glob, 'v20.20.2'), 'Node v20.20.2 ran these tests: globs need Node 21 or later.');
  for (const version of ['v18.1.0', 'v22.17.1', 'v23.5.0']) {
    const note = `Node ${version} ran these tests: .ts files need Node 22.18 or later.`;
    assert.equal(oldNode(types, version), note);
  }
});

test('T8: a Node that is new enough, or another failure, gives no note', () => {
  for (const version of ['', 'v22.18.0', 'v23.6.0', 'v24.0.0']) {
    assert.equal(oldNode(glob + types, version), undefined);
  }
  assert.equal(mayBeOldNode("Could not find '/workspace/a.test.js'"), false);
  assert.equal(oldNode('AssertionError', 'v18.0.0'), undefined);
});

test('T8: an option that a Node does not know is named', () => {
  const output = '/usr/bin/node: bad option: --experimental-test-isolation=none\n';
  const sentence = 'Node v20.20.2 ran these tests: it does not know the option --experimental-test-isolation=none.';
  assert.equal(oldNode(output, 'v20.20.2'), sentence);
  assert.equal(mayBeOldNode(output), true);
  assert.equal(mayBeOldNode('bad option: --colour'), false);
});

test('T8: a Node without the test runner, or without its reporters, is named', () => {
  const sentence = 'Node v16.20.0 ran these tests: the test runner needs Node 20 or later.';
  assert.equal(oldNode('node: bad option: --test-reporter=x', 'v16.20.0'), sentence);
  assert.equal(oldNode("Error: Cannot find module 'node:test'", 'v16.20.0'), sentence);
});
