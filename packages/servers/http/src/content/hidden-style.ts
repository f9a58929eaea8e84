const offScreen = /(?:left|top|text-indent|margin-left):-\d{3,}(?:px|em)/u;
const noSize = /(?:^|;)(?:font-size|max-height|height|width|max-width|opacity):0(?:px|em|%|\.0+)?(?:;|$)/u;
const clipped = /(?:clip:rect\((?:0|1)px|clip-path:inset\((?:50|100)%)/u;
const light = ['white', '#fff', '#ffffff', 'rgb(255,255,255)', 'transparent', 'rgba(0,0,0,0)', '#ffffff00', '#0000'];

/**
 * True if a style that stands on an element hides its text from people: not shown, without size, off the screen, or in
 * the colour of what is behind it. Light text without a background of its own counts as hidden.
 */
export function isHiddenStyle(style: string): boolean {
  const plain = withoutComments(style)
    .toLowerCase()
    .replace(/\s+|!important/gu, '');
  if (/(?:^|;)(?:display:none|visibility:(?:hidden|collapse))/u.test(plain)) return true;
  if (noSize.test(plain) || offScreen.test(plain) || clipped.test(plain)) return true;
  const color = propertyOf(plain, 'color');
  const behind = propertyOf(plain, 'background-color') ?? propertyOf(plain, 'background');
  if (color === undefined) return false;
  return behind === undefined ? light.includes(color) : behind === color;
}

function withoutComments(style: string): string {
  const [first = '', ...rest] = style.split('/*');
  return first + rest.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : '')).join('');
}

function propertyOf(plain: string, name: string): string | undefined {
  return plain
    .split(';')
    .find((part) => part.startsWith(`${name}:`))
    ?.slice(name.length + 1);
}
