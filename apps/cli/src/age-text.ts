const units = [
  ['min', 60_000],
  ['h', 60 * 60_000],
  ['d', 24 * 60 * 60_000],
  ['wk', 7 * 24 * 60 * 60_000],
] as const;

/** How long ago something was, in its largest whole unit: "now", "5 min", "3 h", "2 d", "6 wk". */
export function ageText(milliseconds: number): string {
  const [name, size] = units.findLast(([, unit]) => milliseconds >= unit) ?? ['', 0];
  return size === 0 ? 'now' : `${Math.floor(milliseconds / size)} ${name}`;
}
