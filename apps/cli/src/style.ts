import { styleText } from 'node:util';

export interface Style {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

const plain = (text: string) => text;

/** Colours for a terminal, or none. */
export function createStyle(styled: boolean): Style {
  if (!styled) return { strong: plain, quiet: plain, good: plain, bad: plain, warn: plain };
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { validateStream: false });
  return { strong: paint('bold'), quiet: paint('dim'), good: paint('green'), bad: paint('red'), warn: paint('yellow') };
}
