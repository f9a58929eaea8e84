/**
 * The words of a text, in small letters; a run of Chinese, Japanese or Korean characters, which has no spaces, counts as
 * its pairs of characters.
 */
export function textWords(text: string): string[] {
  const parts = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}_]+/gu);
  return (parts ?? []).flatMap((part) => (isDense(part) ? pairs(part) : [part]));
}

/** How much a text says, in letters of the Latin script: a Chinese character says about as much as three of them. */
export function textWeight(text: string): number {
  let weight = 0;
  for (const character of text.trim()) weight += isDense(character) ? 3 : 1;
  return weight;
}

function isDense(text: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
