import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddProblems } from './add-problems.ts';

const read = (...lines: string[]) => readAddProblems(`${lines.join('\n')}\n`);

test('A6: what may not be read is named, names with line ends too', () => {
  const { unreadable, failure } = read(
    'error: open("secret\nfile"): Permission denied',
    "error: unable to index file 'secret\nfile'",
    "warning: could not open directory 'closed/': Permission denied",
    'error: open("vanished.log"): No such file or directory',
    "error: unable to index file 'vanished.log'",
    "error: 'nested/' does not have a commit checked out",
    'warning: adding embedded git repository: other',
  );
  assert.deepEqual(unreadable, ['secret\nfile', 'closed/']);
  assert.equal(failure, undefined);
});

test('A6: a full disk is no file that is left out', () => {
  const full = 'error: unable to write file objects/aa/bb: No space left on device';
  assert.equal(read(full, "error: unable to index file 'a.txt'").failure, full);
  assert.match(read("fatal: unable to stat 'x': No such file or directory").failure ?? '', /unable to stat/);
  assert.equal(readAddProblems('').failure, undefined);
});
