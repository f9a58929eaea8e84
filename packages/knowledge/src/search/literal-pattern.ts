/** A text as the source of a regular expression that matches just this, also in Unicode mode. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
