/** The first of many, for a sentence. */
export function someOf(ids: readonly string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
}

export function countOf(ids: readonly string[]): string {
  return ids.length === 1 ? '1 test' : `${ids.length} tests`;
}
