/** The share of rank that follows references; the rest goes to where the walk may start. */
const damping = 0.85;
const rounds = 40;

/**
 * PageRank: how often a reader who follows references comes by each node. `starts` says where such a reader begins, one
 * weight per node; all equal when it is empty. The ranks add up to 1, and the same graph always gives the same ranks.
 */
export function rankNodes(edges: readonly ReadonlyMap<number, number>[], starts: readonly number[] = []): Float64Array {
  const size = edges.length;
  const sum = starts.reduce((total, weight) => total + weight, 0);
  const start = Float64Array.from({ length: size }, (_, node) => (sum > 0 ? (starts[node] ?? 0) / sum : 1 / size));
  const sums = edges.map((targets) => [...targets.values()].reduce((total, weight) => total + weight, 0));
  let ranks = start.slice();
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(size);
    let stray = 0;
    for (const [node, targets] of edges.entries()) {
      const rank = ranks[node] ?? 0;
      const total = sums[node] ?? 0;
      if (total === 0) stray += rank;
      for (const [target, weight] of targets) next[target] = (next[target] ?? 0) + (damping * rank * weight) / total;
    }
    // A node without references sends its reader back to the start.
    for (let node = 0; node < size; node += 1) {
      next[node] = (next[node] ?? 0) + (1 - damping + damping * stray) * (start[node] ?? 0);
    }
    ranks = next;
  }
  return ranks;
}
