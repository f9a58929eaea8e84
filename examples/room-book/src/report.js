import { formatDuration } from './clock-time.js';
import { lengthOf } from './interval.js';
import { priceOf } from './price.js';

/** The share of the opening hours that is booked, from 0 to 1. */
export function utilisation(room) {
  const booked = room.bookings.reduce((sum, booking) => sum + lengthOf(booking), 0);
  return booked / lengthOf(room.opening);
}

/** What the day's bookings of a room bring in, in cents. */
export function revenue(room) {
  return room.bookings.reduce((sum, booking) => sum + priceOf(booking, room.centsPerHour), 0);
}

/** The room that is used most; the first one wins a tie. Null when there are no rooms. */
export function busiest(rooms) {
  let best = null;
  for (const room of rooms) {
    if (best === null || utilisation(room) > utilisation(best)) best = room;
  }
  return best;
}

/** Booked minutes by person, the most first. */
export function minutesByPerson(rooms) {
  const totals = new Map();
  for (const room of rooms) {
    for (const booking of room.bookings) {
      totals.set(booking.person, (totals.get(booking.person) ?? 0) + lengthOf(booking));
    }
  }
  return [...totals].sort(([, first], [, second]) => second - first);
}

/** One line for people: "Ocean: 2 h 30 min booked, 25 %". */
export function summaryLine(room) {
  const booked = room.bookings.reduce((sum, booking) => sum + lengthOf(booking), 0);
  return `${room.name}: ${formatDuration(booked)} booked, ${Math.round(utilisation(room) * 100)} %`;
}
