import { clip, interval, lengthOf } from './interval.js';

const peakHours = [interval('09:00', '12:00'), interval('13:00', '16:00')];
const peakFactor = 1.5;
const billedStep = 15;
const shortestBilled = 30;

/** Minutes of the span that fall into peak hours. */
export function peakMinutes(span) {
  let minutes = 0;
  for (const hours of peakHours) {
    const part = clip(span, hours);
    if (part !== null) minutes += lengthOf(part);
  }
  return minutes;
}

/** Minutes that are billed: rounded up to whole quarters of an hour, and half an hour at least. */
export function billedMinutes(minutes) {
  const rounded = Math.ceil(minutes / billedStep) * billedStep;
  return Math.max(rounded, shortestBilled);
}

/** The price of a booking in cents. Peak minutes cost half as much again; what is rounded up is billed at the plain rate. */
export function priceOf(span, centsPerHour) {
  const peak = peakMinutes(span);
  const plain = billedMinutes(lengthOf(span)) - peak;
  return Math.round(((peak * peakFactor + plain) * centsPerHour) / 60);
}
