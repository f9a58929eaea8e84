import { commandDescriptions } from '../../apps/cli/src/command-descriptions.ts';
import { readArguments } from '../../apps/cli/src/commands/read-arguments.ts';
import type { CommandDescription } from '../../apps/cli/src/describe-command.ts';

const descriptions: readonly CommandDescription[] = commandDescriptions;
/** What npm does itself, with arguments of its own. */
const npmItself: ReadonlySet<string> = new Set(['ci', 'i', 'install']);

/** What is wrong with a command that a document shows; undefined for one that works, or that is no command of ours. */
export function checkCommand(words: readonly string[], scripts: ReadonlySet<string>): string | undefined {
  const [program = '', ...rest] = words;
  if (program === 'npm') return checkNpm(rest, scripts);
  return /^(.*\/)?capstan$/.test(program) ? checkCapstan(rest) : undefined;
}

function checkNpm(words: readonly string[], scripts: ReadonlySet<string>): string | undefined {
  const [name = '', ...rest] = words.filter((word) => word !== '--silent' && word !== '-s');
  if (npmItself.has(name)) return undefined;
  const script = name === 'run' ? rest[0] : name;
  if (script === undefined || !scripts.has(script)) return `npm has no script "${script ?? ''}"`;
  const dashes = rest.indexOf('--');
  return script === 'start' && dashes >= 0 ? checkCapstan(rest.slice(dashes + 1)) : undefined;
}

function checkCapstan(words: readonly string[]): string | undefined {
  const [name = '', ...rest] = words;
  if (name === '--version' || name === '--help') return undefined;
  const description = descriptions.find((one) => one.name === name);
  if (description === undefined) return name === 'COMMAND' ? undefined : `capstan has no command "${name}"`;
  if (rest.includes('--help')) return undefined;
  try {
    readArguments(description, rest);
    return undefined;
  } catch (thrown) {
    return `capstan ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
