/** A string is kept whole; what else is found is a comment, or a comma before a closing bracket. */
const parts = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** JSON as editors write it in their settings, with comments and commas at the end, as plain JSON. */
export function withoutComments(text: string): string {
  return text.replace(parts, (_, string: string | undefined) => string ?? '');
}
