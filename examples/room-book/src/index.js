export { formatDuration, formatTime, parseTime } from './clock-time.js';
export { firstSlot, freeMinutes, freeSlots } from './free-slots.js';
export { clip, contains, formatInterval, interval, lengthOf, overlaps } from './interval.js';
export { billedMinutes, peakMinutes, priceOf } from './price.js';
export { busiest, minutesByPerson, revenue, summaryLine, utilisation } from './report.js';
export { BookingError, Room } from './room.js';
