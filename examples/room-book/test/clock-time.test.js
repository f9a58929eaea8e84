import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatTime, parseTime } from '../src/clock-time.js';

test('times are read as minutes since midnight', () => {
  assert.equal(parseTime('00:00'), 0);
  assert.equal(parseTime('09:30'), 570);
  assert.equal(parseTime('24:00'), 1440);
});

test('what is no time is refused', () => {
  for (const text of ['9:30', '09:60', '24:01', 'noon', '']) {
    assert.throws(() => parseTime(text), RangeError, text);
  }
});

test('times are written as they are read', () => {
  for (const text of ['00:00', '00:05', '09:30', '23:59', '24:00']) {
    assert.equal(formatTime(parseTime(text)), text);
  }
  assert.throws(() => formatTime(-1), RangeError);
  assert.throws(() => formatTime(1441), RangeError);
});

test('durations are written for people', () => {
  assert.equal(formatDuration(45), '45 min');
  assert.equal(formatDuration(60), '1 h');
  assert.equal(formatDuration(125), '2 h 05 min');
});
