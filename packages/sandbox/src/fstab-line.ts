function escapeField(text: string): string {
  return text.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** A line of an fstab; sources and targets may hold any character. */
export function fstabLine(source: string, target: string, type: string, options: string): string {
  return `${escapeField(source)} ${escapeField(target)} ${type} ${options} 0 0`;
}
