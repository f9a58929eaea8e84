import type { Style } from './style.ts';

/** Colours added and removed lines; the text is unchanged without colours. */
export function colourDiff(text: string, style: Style): string {
  const colour = (line: string) => {
    if (/^(diff|index|---|\+\+\+) ?/.test(line)) return style.strong(line);
    if (line.startsWith('+')) return style.good(line);
    if (line.startsWith('-')) return style.bad(line);
    return line.startsWith('@@') ? style.quiet(line) : line;
  };
  return text.split('\n').map(colour).join('\n');
}
