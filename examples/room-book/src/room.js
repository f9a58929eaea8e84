import { contains, formatInterval, overlaps } from './interval.js';

/** A booking that cannot be made; `conflicts` are the bookings in its way. */
export class BookingError extends Error {
  constructor(message, conflicts = []) {
    super(message);
    this.name = 'BookingError';
    this.conflicts = conflicts;
  }
}

/** A room with the bookings of one day, kept in the order of their start. */
export class Room {
  #bookings = [];
  #lastId = 0;

  constructor(name, { opening, centsPerHour }) {
    this.name = name;
    this.opening = opening;
    this.centsPerHour = centsPerHour;
  }

  get bookings() {
    return [...this.#bookings];
  }

  /** The bookings that have a minute in common with `span`. */
  conflictsWith(span) {
    return this.#bookings.filter((booking) => overlaps(span, booking));
  }

  /** Books the span for a person, or throws a BookingError and changes nothing. */
  book(person, span) {
    if (!contains(this.opening, span)) {
      throw new BookingError(`${this.name} is closed for some of ${formatInterval(span)}`);
    }
    const conflicts = this.conflictsWith(span);
    if (conflicts.length > 0) {
      throw new BookingError(`${this.name} is taken: ${conflicts.map(formatInterval).join(', ')}`, conflicts);
    }
    this.#lastId += 1;
    const booking = { id: this.#lastId, person, start: span.start, end: span.end };
    const later = this.#bookings.findIndex((other) => other.start > booking.start);
    this.#bookings.splice(later === -1 ? this.#bookings.length : later, 0, booking);
    return booking;
  }

  /** Removes a booking by its id; false when there is none. */
  cancel(id) {
    const place = this.#bookings.findIndex((booking) => booking.id === id);
    if (place === -1) return false;
    this.#bookings.splice(place, 1);
    return true;
  }
}
