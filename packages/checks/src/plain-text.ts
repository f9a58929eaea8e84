// Sequences that a terminal acts on: OSC, DCS and their like up to their end, CSI, and two-character escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const STRINGS = /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const ESCAPE = /\u001b[ -/]*[0-~]?/g;
const CONTROLS = /[^\P{Cc}\n\t]/gu;
// Direction overrides and tag characters make text read other than it is.
const DECEIVING = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/**
 * What text says without what it does to a terminal: control sequences are gone, a carriage return begins a new line
 * (what it would have overwritten stays readable), and no half character is left.
 */
export function plainText(text: string): string {
  return text
    .replace(STRINGS, '')
    .replace(CONTROL_SEQUENCE, '')
    .replace(ESCAPE, '')
    .replace(/\r+\n?/g, '\n')
    .replace(CONTROLS, '')
    .replace(DECEIVING, '')
    .toWellFormed();
}
