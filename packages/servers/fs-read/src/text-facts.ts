import { foldLineEnds, type TextFile } from '@capstan/workspace';
import { z } from 'zod';

export const LineEnds = z.enum(['lf', 'crlf', 'mixed']);
export type LineEnds = z.infer<typeof LineEnds>;

/** How a text is written: what an edit will keep. */
export interface TextFacts {
  readonly encoding: string;
  readonly lineEnds: LineEnds;
}

export function textFacts(file: TextFile): TextFacts {
  const marked = file.bom && file.encoding === 'utf-8';
  return { encoding: marked ? 'utf-8 with byte order mark' : file.encoding, lineEnds: lineEndsOf(file.text) };
}

function lineEndsOf(text: string): LineEnds {
  const folded = foldLineEnds(text).text;
  const carriageReturns = text.length - folded.length;
  if (carriageReturns === 0) return 'lf';
  return carriageReturns === folded.split('\n').length - 1 ? 'crlf' : 'mixed';
}
