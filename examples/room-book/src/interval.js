import { formatTime, parseTime } from './clock-time.js';

/** A span of time within one day. Its start belongs to it, its end does not. */
export function interval(from, to) {
  const start = typeof from === 'string' ? parseTime(from) : from;
  const end = typeof to === 'string' ? parseTime(to) : to;
  if (start >= end) throw new RangeError(`${formatTime(start)} is not before ${formatTime(end)}`);
  return { start, end };
}

/** Length in minutes. */
export function lengthOf(span) {
  return span.end - span.start;
}

/** Whether the two have a minute in common. */
export function overlaps(first, second) {
  return first.start <= second.end && second.start < first.end;
}

/** Whether all of `inner` lies within `outer`. */
export function contains(outer, inner) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The part of `span` within `frame`, or null when there is none. */
export function clip(span, frame) {
  const start = Math.max(span.start, frame.start);
  const end = Math.min(span.end, frame.end);
  return start < end ? { start, end } : null;
}

/** "09:00-10:30" for people. */
export function formatInterval(span) {
  return `${formatTime(span.start)}-${formatTime(span.end)}`;
}
