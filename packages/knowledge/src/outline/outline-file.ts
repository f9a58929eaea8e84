import { outlineLines } from './outline-lines.ts';
import type { OutlineSymbol } from './outline-symbol.ts';

export interface FileOutline {
  readonly symbols: readonly OutlineSymbol[];
  /** What it was read from. */
  readonly by: 'syntax tree' | 'line patterns';
}

const module = /\.([cm]?[jt]s|[jt]sx)$/i;

/**
 * What a file declares: from its syntax tree where it is JavaScript or TypeScript without syntax errors, else by how its
 * lines begin. Undefined for a kind of file without declarations that could be told.
 */
export async function outlineFile(path: string, text: string): Promise<FileOutline | undefined> {
  if (module.test(path)) {
    // Loaded when first needed: a server that is not asked for it starts quicker.
    const { outlineModule } = await import('./outline-module.ts');
    const symbols = outlineModule(path, text);
    if (symbols !== undefined) return { symbols, by: 'syntax tree' };
  }
  const symbols = outlineLines(path, text);
  return symbols === undefined ? undefined : { symbols, by: 'line patterns' };
}
