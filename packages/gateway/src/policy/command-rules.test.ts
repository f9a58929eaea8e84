import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCommandBreak } from './command-rules.ts';

test('T10: argument vectors that start a shell or evaluate text are found, at any depth', () => {
  const bad = [
    ...[
      ['sh', '-c', 'id'],
      ['/bin/bash', 'x.sh'],
      ['node', '-e', '1'],
      ['python3', '-c', '1'],
      ['env', 'X=1', 'id'],
    ],
    ...[
      ['node', '--require', './x.js'],
      ['PowerShell.exe', '-File', 'x'],
      ['xargs', 'rm'],
    ],
  ];
  for (const argv of bad) {
    assert.equal(findCommandBreak({ argv })?.rule, 'command-shell', argv.join(' '));
    assert.equal(findCommandBreak({ steps: [{ command: argv }] })?.rule, 'command-shell');
  }
});

test('T10: other vectors and other lists of text pass', () => {
  const good = [['npm', 'test'], ['node', '--test'], ['python3', '-m', 'pytest'], ['sh'], []];
  for (const argv of good) assert.equal(findCommandBreak({ argv }), undefined, argv.join(' '));
  assert.equal(findCommandBreak({ paths: ['sh', '-c'], words: ['env', 'x'] }), undefined);
});
