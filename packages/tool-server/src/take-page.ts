/** A part of a list, and the cursor for the next one if there is more. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * The page after `cursor` of items that are sorted by their keys (as texts, by code unit). A cursor says after which key
 * it goes on, so a list that changes between pages neither repeats nor loses what stayed. Undefined for a cursor that
 * was never given out.
 */
export function takePage<Item>(
  sorted: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
  size: number,
): Page<Item> | undefined {
  const after = cursor === undefined ? undefined : keyOfCursor(cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  const begin = after === undefined ? 0 : firstAfter(sorted, keyOf, after);
  const items = sorted.slice(begin, begin + size);
  const last = items.at(-1);
  if (last === undefined || begin + size >= sorted.length) return { items };
  return { items, nextCursor: Buffer.from(keyOf(last)).toString('base64url') };
}

function keyOfCursor(cursor: string): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  const key = bytes.toString();
  return Buffer.from(key).toString('base64url') === cursor ? key : undefined;
}

function firstAfter<Item>(sorted: readonly Item[], keyOf: (item: Item) => string, key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && keyOf(item) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
