import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interval } from '../src/interval.js';
import { BookingError, Room } from '../src/room.js';

const openRoom = () => new Room('Ocean', { opening: interval('08:00', '18:00'), centsPerHour: 2400 });
const people = (room) => room.bookings.map((booking) => booking.person);

test('bookings are kept in the order of their start', () => {
  const room = openRoom();
  room.book('Ada', interval('14:00', '15:00'));
  room.book('Bo', interval('09:00', '10:00'));
  room.book('Cy', interval('11:00', '12:00'));
  assert.deepEqual(people(room), ['Bo', 'Cy', 'Ada']);
});

test('a conflict is refused and named', () => {
  const room = openRoom();
  const taken = room.book('Ada', interval('09:00', '10:30'));
  assert.throws(
    () => room.book('Bo', interval('10:00', '11:00')),
    (error) => error instanceof BookingError && error.conflicts[0].id === taken.id && /09:00-10:30/.test(error.message),
  );
  assert.deepEqual(people(room), ['Ada']);
});

test('a booking may begin when another one ends', () => {
  const room = openRoom();
  room.book('Ada', interval('09:00', '10:00'));
  room.book('Bo', interval('10:00', '11:00'));
  room.book('Cy', interval('08:00', '09:00'));
  assert.deepEqual(people(room), ['Cy', 'Ada', 'Bo']);
});

test('a room is booked within its opening hours only', () => {
  const room = openRoom();
  room.book('Ada', interval('08:00', '09:00'));
  assert.throws(() => room.book('Bo', interval('07:30', '08:30')), BookingError);
  assert.throws(() => room.book('Bo', interval('17:30', '18:30')), BookingError);
  assert.deepEqual(people(room), ['Ada']);
});

test('a cancelled booking leaves its place', () => {
  const room = openRoom();
  const first = room.book('Ada', interval('09:00', '10:00'));
  assert.equal(room.cancel(first.id), true);
  assert.equal(room.cancel(first.id), false);
  room.book('Bo', interval('09:30', '10:30'));
  assert.deepEqual(people(room), ['Bo']);
});
