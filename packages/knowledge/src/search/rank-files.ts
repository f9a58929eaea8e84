import type { OpenIndex } from '../knowledge-index.ts';
import type { Hit } from '../store/index-store.ts';
import { adjustRanks } from './adjust-ranks.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { planQuery, type QueryTerm } from './plan-query.ts';

export interface Ranking {
  readonly hits: readonly Hit[];
  /** For showing why: the terms that were looked for. */
  readonly terms: readonly QueryTerm[];
  /** What the order rests on. */
  readonly by: 'keywords' | 'keywords and embeddings';
  /** Why embeddings are missing though an endpoint is configured, or how many files have them. */
  readonly note?: string;
}

/** Hits of the index that are looked at again. */
const candidates = 100;
const leastForNames = 2;

/** The files that fit a question best, by words, names and structure; with an endpoint, fused with what resembles it. `fits` says which count. */
export async function rankFiles(
  { store, embeddings }: OpenIndex,
  query: string,
  fits: (path: string) => boolean,
): Promise<Ranking> {
  const files = store.count();
  const plan = planQuery(query, { files, spread: (term) => store.spread(term) });
  const found = plan === undefined ? [] : adjustRanks(query, store.search(plan.expression, candidates, fits));
  const hits = found.length > 0 ? found : namesWith(query, store, fits);
  const terms = plan?.terms ?? [];
  if (embeddings === undefined) return { hits, terms, by: 'keywords' };
  const resembling = await embeddings.resembling(query);
  if ('problem' in resembling) {
    return { hits, terms, by: 'keywords', note: `Ranked by keywords alone: ${resembling.problem}.` };
  }
  const note = `${resembling.covered} of ${files} files have vectors.`;
  return {
    hits: fuseRanks([hits.map((hit) => hit.path), resembling.paths.filter(fits)]),
    terms,
    by: 'keywords and embeddings',
    note,
  };
}

/** Where no word fits: paths and names of symbols that hold the text as it is. */
function namesWith(query: string, store: OpenIndex['store'], fits: (path: string) => boolean): Hit[] {
  const part = query.trim();
  if (part.length < leastForNames || part.length > 100) return [];
  return store
    .searchNames(part)
    .filter(fits)
    .map((path, index) => ({ path, score: 1 / (index + 1) }));
}
