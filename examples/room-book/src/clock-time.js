const minutesPerDay = 24 * 60;

/** Minutes since midnight of a time such as "09:30". "24:00" is the end of the day. */
export function parseTime(text) {
  const match = /^(\d{2}):(\d{2})$/.exec(text);
  if (match === null) throw new RangeError(`not a time: ${text}`);
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  const total = hours * 60 + minutes;
  if (minutes >= 60 || total > minutesPerDay) throw new RangeError(`not a time: ${text}`);
  return total;
}

/** The time of day at a number of minutes since midnight: 570 is "09:30". */
export function formatTime(total) {
  if (!Number.isInteger(total) || total < 0 || total > minutesPerDay) {
    throw new RangeError(`not within a day: ${total}`);
  }
  const hours = Math.floor(total / 60);
  const minutes = total % 60;
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** "1 h 05 min" for people. */
export function formatDuration(total) {
  const hours = Math.floor(total / 60);
  const minutes = total % 60;
  if (hours === 0) return `${minutes} min`;
  if (minutes === 0) return `${hours} h`;
  return `${hours} h ${String(minutes).padStart(2, '0')} min`;
}
