/** Characters that terminals show two cells wide: those of Chinese, Japanese and Korean, full-width forms, emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Marks that stand on the character before them. */
const joined = /[\p{Mn}\p{Me}]/u;

/** How many columns of a terminal a text takes: two for a Chinese character, none for a combining one. */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOf(character), 0);
}

/** The beginning of a text that fits, with an ellipsis where it was cut. */
export function fitEnd(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  return `${takeColumns([...text], columns - 1).join('')}…`;
}

/** The end of a text that fits: of a path it says more than the beginning. */
export function fitStart(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  return `…${takeColumns([...text].reverse(), columns - 1)
    .reverse()
    .join('')}`;
}

/** Filled up with spaces. */
export function padColumns(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

function takeColumns(characters: readonly string[], columns: number): string[] {
  let used = 0;
  return characters.slice(
    0,
    characters.findIndex((character) => {
      used += widthOf(character);
      return used > columns;
    }),
  );
}

function widthOf(character: string): number {
  if (joined.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
