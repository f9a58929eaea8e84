type Range = readonly [first: number, last: number];

/** Soft hyphen, zero-width characters, invisible operators, rare variation selectors, tag characters. */
const invisible: readonly Range[] = [
  [0x00ad, 0x00ad],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x2060, 0x2064],
  [0xfe00, 0xfe0d],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
];
/** Part of emoji and of some scripts; between ASCII characters they only hide something. */
const joiners: readonly Range[] = [[0x200c, 0x200f]];
const bidirectional: readonly Range[] = [
  [0x202a, 0x202e],
  [0x2066, 0x2069],
];
/** Escape, control sequence introducer, device control and operating system command. */
const terminal: readonly Range[] = [
  [0x001b, 0x001b],
  [0x0090, 0x0090],
  [0x009b, 0x009b],
  [0x009d, 0x009d],
];
const byteOrderMark = 0xfeff;

export interface HiddenCharacters {
  readonly invisible: boolean;
  readonly bidirectional: boolean;
  readonly terminal: boolean;
}

/** Which kinds of characters a text holds that its reader does not see, or that steer a terminal. */
export function findHiddenCharacters(text: string): HiddenCharacters {
  const found = { invisible: false, bidirectional: false, terminal: false };
  let before = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (isPlain(point)) {
      before = point;
      continue;
    }
    if (isIn(terminal, point)) found.terminal = true;
    else if (isIn(bidirectional, point)) found.bidirectional = true;
    else if (isIn(invisible, point) || (point === byteOrderMark && before !== 0)) found.invisible = true;
    else if (isIn(joiners, point) && before > 0x20 && before < 0x80) found.invisible = true;
    before = point;
  }
  return found;
}

/** The text as a model reads it: compatibility forms folded, invisible characters out, tag characters as letters. */
export function reveal(text: string): string {
  if (!/[\p{Cf}\p{Variation_Selector}]/u.test(text)) return text.normalize('NFKC');
  let plain = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point >= 0xe0020 && point <= 0xe007e) plain += String.fromCodePoint(point - 0xe0000);
    else if (point < 0x80 || !isHidden(point)) plain += character;
  }
  return plain.normalize('NFKC');
}

/** Printable ASCII and the scripts of East Asia: most of what there is to read. */
function isPlain(point: number): boolean {
  return (point >= 0x20 && point < 0x80) || (point >= 0x3000 && point < 0xe000);
}

function isHidden(point: number): boolean {
  return isIn(invisible, point) || isIn(joiners, point) || isIn(bidirectional, point) || point === byteOrderMark;
}

function isIn(ranges: readonly Range[], point: number): boolean {
  return ranges.some(([first, last]) => point >= first && point <= last);
}
