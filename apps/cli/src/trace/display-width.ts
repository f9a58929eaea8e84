/** Characters that terminals show two cells wide: those of Chinese, Japanese and Korean, full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Marks that stand on the character before them. */
const none = /[\p{Mn}\p{Me}]/u;

function cells(character: string): number {
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** How many cells of a terminal a text without line ends takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += cells(character);
  return width;
}

/** The beginning of a text that fits into so many cells; where something is left out, it ends in "…". */
export function fitWidth(text: string, limit: number): string {
  if (displayWidth(text) <= limit) return text;
  let width = 1;
  let kept = '';
  for (const character of text) {
    width += cells(character);
    if (width > limit) break;
    kept += character;
  }
  return limit < 1 ? '' : `${kept}…`;
}
