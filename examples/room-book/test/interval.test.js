import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clip, contains, formatInterval, interval, lengthOf, overlaps } from '../src/interval.js';

const morning = interval('08:00', '12:00');

test('an interval has a length', () => {
  assert.equal(lengthOf(morning), 240);
  assert.equal(formatInterval(morning), '08:00-12:00');
});

test('an interval must not be empty or run backwards', () => {
  assert.throws(() => interval('09:00', '09:00'), RangeError);
  assert.throws(() => interval('10:00', '09:00'), RangeError);
});

test('intervals with a common minute overlap', () => {
  for (const other of [interval('07:00', '08:01'), interval('09:00', '10:00'), interval('11:59', '13:00'), morning]) {
    assert.equal(overlaps(morning, other), true);
    assert.equal(overlaps(other, morning), true);
  }
});

test('intervals that are apart do not overlap', () => {
  for (const other of [interval('06:00', '07:00'), interval('13:00', '14:00')]) {
    assert.equal(overlaps(morning, other), false);
    assert.equal(overlaps(other, morning), false);
  }
});

test('intervals that only touch do not overlap', () => {
  for (const other of [interval('07:00', '08:00'), interval('12:00', '13:00')]) {
    assert.equal(overlaps(morning, other), false);
    assert.equal(overlaps(other, morning), false);
  }
});

test('an interval contains itself and what lies within', () => {
  assert.equal(contains(morning, morning), true);
  assert.equal(contains(morning, interval('08:00', '09:00')), true);
  assert.equal(contains(morning, interval('07:59', '09:00')), false);
  assert.equal(contains(morning, interval('11:00', '12:01')), false);
});

test('clipping leaves the common part', () => {
  assert.deepEqual(clip(interval('07:00', '09:00'), morning), interval('08:00', '09:00'));
  assert.deepEqual(clip(interval('11:00', '13:00'), morning), interval('11:00', '12:00'));
  assert.equal(clip(interval('12:00', '13:00'), morning), null);
});
