import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFrames, recordTerminal, toAsciicast, toText } from './record-terminal.ts';

const options =
  spawnSync('script', ['--version']).status === 0 ? {} : { skip: 'needs script (util-linux): not installed' };

test('frames are cut where the terminal was written to, and characters stay whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat({ max: 5 })), (text, cuts) => {
      const bytes = new TextEncoder().encode(text);
      const rest = Math.max(0, bytes.length - cuts.reduce((sum, cut) => sum + cut, 0));
      const timing = [...cuts, rest].map((count) => `0.5 ${count}`).join('\n');
      const frames = readFrames(bytes, timing);
      assert.equal(frames.map((frame) => frame.text).join(''), text);
      assert.ok(frames.every((frame, at) => at === 0 || frame.at > (frames[at - 1]?.at ?? 0)));
    }),
  );
});

test('a recording shows each command and what it printed, with its colours, and as text without them', options, () => {
  const recording = recordTerminal(['echo "one 一"', "printf '\\033[32mgreen\\033[0m\\n'"], tmpdir());
  assert.equal(toText(recording), `$ echo "one 一"\none 一\n$ printf '\\033[32mgreen\\033[0m\\n'\ngreen\n`);
  const [header = '', ...rows] = toAsciicast(recording).trimEnd().split('\n');
  assert.equal(JSON.parse(header).version, 2);
  assert.ok(
    rows
      .map((row) => JSON.parse(row)[2])
      .join('')
      .includes('\u001b[32mgreen'),
  );
});
