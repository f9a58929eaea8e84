import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interval } from '../src/interval.js';
import { billedMinutes, peakMinutes, priceOf } from '../src/price.js';

test('peak minutes are counted over the lunch break', () => {
  assert.equal(peakMinutes(interval('08:00', '09:00')), 0);
  assert.equal(peakMinutes(interval('08:30', '09:45')), 45);
  assert.equal(peakMinutes(interval('11:00', '14:00')), 120);
});

test('quarters of an hour are billed, and two of them at least', () => {
  assert.equal(billedMinutes(5), 30);
  assert.equal(billedMinutes(30), 30);
  assert.equal(billedMinutes(31), 45);
});

test('peak minutes cost half as much again', () => {
  assert.equal(priceOf(interval('16:00', '17:00'), 2400), 2400);
  assert.equal(priceOf(interval('09:00', '10:00'), 2400), 3600);
  assert.equal(priceOf(interval('08:30', '09:30'), 2400), 3000);
});
