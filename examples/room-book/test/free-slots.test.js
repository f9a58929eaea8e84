import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSlot, freeMinutes, freeSlots } from '../src/free-slots.js';
import { formatInterval, interval } from '../src/interval.js';

const day = interval('08:00', '18:00');
const slots = (bookings, minimum) => freeSlots(bookings, day, minimum).map(formatInterval);

test('a day without bookings is one slot', () => {
  assert.deepEqual(slots([]), ['08:00-18:00']);
  assert.equal(freeMinutes([], day), 600);
});

test('the slots lie between the bookings', () => {
  const bookings = [interval('14:00', '15:00'), interval('09:00', '10:30')];
  assert.deepEqual(slots(bookings), ['08:00-09:00', '10:30-14:00', '15:00-18:00']);
  assert.deepEqual(slots(bookings, 120), ['10:30-14:00', '15:00-18:00']);
  assert.equal(freeMinutes(bookings, day), 450);
});

test('a booking within another one frees nothing', () => {
  const bookings = [interval('09:00', '12:00'), interval('10:00', '11:00'), interval('16:00', '18:00')];
  assert.deepEqual(slots(bookings), ['08:00-09:00', '12:00-16:00']);
});

test('bookings after hours leave the day as it is', () => {
  assert.deepEqual(slots([interval('18:00', '19:00')]), ['08:00-18:00']);
  assert.deepEqual(slots([interval('20:00', '21:00')]), ['08:00-18:00']);
});

test('the first slot is as long as it was asked for', () => {
  const bookings = [interval('08:30', '09:00')];
  assert.deepEqual(firstSlot(bookings, day, 30), interval('08:00', '08:30'));
  assert.equal(firstSlot([], day, 601), null);
});
