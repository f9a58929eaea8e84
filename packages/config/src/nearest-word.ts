/** The known word that a mistyped one was most likely meant to be; undefined when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const wanted = word.slice(0, 60).toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .sort((first, second) => first.distance - second.distance);
  const [best] = ranked;
  if (best === undefined || best.distance > Math.max(1, Math.floor(best.candidate.length / 3))) return undefined;
  return best.candidate;
}

/** Letters that have to be put in, taken out, changed or swapped with their neighbour. */
function editDistance(first: string, second: string): number {
  let before: number[] = [];
  let last = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const change = first[row - 1] === second[column - 1] ? 0 : 1;
      let cost = Math.min(at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + change);
      const swapped =
        row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      next.push(cost);
    }
    before = last;
    last = next;
  }
  return at(last, second.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
