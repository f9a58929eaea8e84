import { commandDescriptions } from './command-descriptions.ts';

const commands = commandDescriptions.map(({ name }) => name).join('|');
const call = new RegExp(String.raw`(?<=^|[\s\x60"'(])capstan (?=(?:${commands}|COMMAND|--help)(?![\w-]))`, 'gm');

/**
 * Hints are written with "capstan" for the program, in the log too: here it becomes what this person calls. So a session
 * that was begun under npm can be gone on with by bin/capstan.
 */
export function nameProgram(text: string, program: string): string {
  return text.replaceAll(call, () => `${program} `);
}
