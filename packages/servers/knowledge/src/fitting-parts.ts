import { sizes } from '@capstan/contracts';

/** The text of a result and the same in structured form share what one result may carry. Bytes. */
export const textBytes = sizes.inlineLimit / 2 - 1024;

/** How many of the parts fit into so many bytes, each with a line end; the first one always does. */
export function countFitting(parts: readonly string[], bytes: number): number {
  let left = bytes;
  const over = parts.findIndex((part) => {
    left -= Buffer.byteLength(part) + 1;
    return left < 0;
  });
  return over === -1 ? parts.length : Math.max(1, over);
}
