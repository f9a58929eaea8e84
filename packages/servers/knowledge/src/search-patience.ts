import type { Patience } from '@capstan/knowledge';

/** A search waits so long for the index; then it answers from what there is, and its result says so. */
export const searchPatience: Patience = { firstMs: 20_000, againMs: 2_000 };
