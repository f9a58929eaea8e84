/**
 * JSON with sorted keys and no white space (the rules of RFC 8785 that matter for our values): equal values give equal
 * text, so that digests can be compared. Undefined members are left out; anything that JSON cannot carry throws.
 */
export function canonicalJson(value: unknown): string {
  if (value === undefined) throw new TypeError('undefined has no JSON form');
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${typeof value} has no JSON form`);
  return text;
}
