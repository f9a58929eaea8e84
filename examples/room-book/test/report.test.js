import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interval } from '../src/interval.js';
import { busiest, minutesByPerson, revenue, summaryLine, utilisation } from '../src/report.js';
import { Room } from '../src/room.js';

function twoRooms() {
  const ocean = new Room('Ocean', { opening: interval('08:00', '18:00'), centsPerHour: 2400 });
  const river = new Room('River', { opening: interval('08:00', '18:00'), centsPerHour: 1200 });
  ocean.book('Ada', interval('08:00', '09:00'));
  ocean.book('Bo', interval('16:00', '17:30'));
  river.book('Ada', interval('09:00', '12:00'));
  return { ocean, river };
}

test('utilisation is the booked share of the opening hours', () => {
  const { ocean, river } = twoRooms();
  assert.equal(utilisation(ocean), 0.25);
  assert.equal(busiest([ocean, river]), river);
  assert.equal(busiest([]), null);
});

test('revenue adds up the bookings', () => {
  const { ocean, river } = twoRooms();
  assert.equal(revenue(ocean), 6000);
  assert.equal(revenue(river), 5400);
});

test('minutes are added by person over all rooms', () => {
  const { ocean, river } = twoRooms();
  assert.deepEqual(minutesByPerson([ocean, river]), [
    ['Ada', 240],
    ['Bo', 90],
  ]);
});

test('the summary is one line', () => {
  assert.equal(summaryLine(twoRooms().ocean), 'Ocean: 2 h 30 min booked, 25 %');
});
