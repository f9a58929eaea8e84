/** The usual constant of reciprocal rank fusion: how little the first places count over those after them. */
const flatness = 60;

/** Reciprocal rank fusion: one list of several, each best first. Ties go by name, so that the order is always the same. */
export function fuseRanks(lists: readonly (readonly string[])[]): { readonly path: string; readonly score: number }[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [index, path] of list.entries()) {
      scores.set(path, (scores.get(path) ?? 0) + 1 / (flatness + index + 1));
    }
  }
  return [...scores]
    .map(([path, score]) => ({ path, score }))
    .sort((first, second) => second.score - first.score || (first.path < second.path ? -1 : 1));
}
