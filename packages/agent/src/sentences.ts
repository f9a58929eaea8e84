/** The sentences of a text in English or Chinese, without the marks of lists, headings and quotes. */
export function sentencesOf(text: string): string[] {
  const parts = text.split(/(?<=[.!?])\s+|(?<=[。！？；])|\n+/);
  return parts.map((part) => part.replace(/^[\s*#>-]+/, '').trim()).filter((part) => part !== '');
}
