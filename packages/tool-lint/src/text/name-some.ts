const shown = 5;

/** A list for a message: `a, b, c`, of many the first five and how many more. */
export function nameSome(names: readonly string[]): string {
  const more = names.length - shown;
  const named = names.slice(0, shown).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}
