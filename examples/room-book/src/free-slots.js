import { interval, lengthOf } from './interval.js';

const byStart = (first, second) => first.start - second.start;

/**
 * The gaps of at least `minimum` minutes that the bookings leave in the opening hours, in order. The bookings may be
 * unsorted and may overlap, because they can come from several calendars.
 */
export function freeSlots(bookings, opening, minimum = 15) {
  const slots = [];
  let cursor = opening.start;
  for (const { start, end } of [...bookings].sort(byStart)) {
    const gapEnd = Math.min(start, opening.end);
    if (gapEnd - cursor >= minimum) slots.push(interval(cursor, gapEnd));
    cursor = Math.max(cursor, start);
  }
  if (opening.end - cursor >= minimum) slots.push(interval(cursor, opening.end));
  return slots;
}

/** The first slot of exactly `minutes` that is free, or null. */
export function firstSlot(bookings, opening, minutes) {
  const [slot] = freeSlots(bookings, opening, minutes);
  return slot === undefined ? null : interval(slot.start, slot.start + minutes);
}

/** Free minutes in all, short gaps included. */
export function freeMinutes(bookings, opening) {
  return freeSlots(bookings, opening, 1).reduce((sum, slot) => sum + lengthOf(slot), 0);
}
