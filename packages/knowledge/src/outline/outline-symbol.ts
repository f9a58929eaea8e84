/** Something that a file declares: a function, a class, a heading. */
export interface OutlineSymbol {
  readonly name: string;
  /** The word of the language: "function", "class", "struct", "heading". */
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
  /** 0 for what stands at the top of the file. */
  readonly depth: number;
}
