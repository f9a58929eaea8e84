/** Whether a text names a tool: as a word of its own, whatever script stands around it. */
export function mentionsTool(text: string, name: string): boolean {
  // An empty name is everywhere, and has no end.
  if (name === '') return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !isNamePart(text[at - 1]) && !isNamePart(text[at + name.length]);
    if (isWhole) return true;
  }
  return false;
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_-]/.test(character);
}
