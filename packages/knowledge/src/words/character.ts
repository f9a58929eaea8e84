/** What a UTF-16 unit counts as while words are cut out of a text. */
export type CharacterKind = 'ideograph' | 'letter' | 'other';

/**
 * Chinese characters, kana and hangul are ideographs: they are indexed in pairs, because nothing stands between words.
 * Other scripts beyond ASCII are letters. Pairs of surrogates (emoji, rare characters) separate words.
 */
export function kindOf(unit: number): CharacterKind {
  if (unit < 0x80) return isAsciiWord(unit) ? 'letter' : 'other';
  if (isIdeograph(unit)) return 'ideograph';
  if (unit < 0xc0) return unit === 0xaa || unit === 0xb5 || unit === 0xba ? 'letter' : 'other';
  if (unit === 0xd7 || unit === 0xf7) return 'other';
  const isMark = (unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f);
  return isMark || unit >= 0xd800 ? 'other' : 'letter';
}

export function isAsciiWord(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f
  );
}

function isIdeograph(unit: number): boolean {
  if (unit < 0x3040) return false;
  return (
    unit <= 0x30ff ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0xf900 && unit <= 0xfaff)
  );
}
