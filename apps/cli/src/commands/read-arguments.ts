import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { CapstanError } from '@capstan/contracts';

/** Parses a command's arguments strictly. Throws `usage`, naming the command's help page. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : String(cause);
    throw new CapstanError('usage', `${message}.`, { hint: `See capstan ${command} --help.`, cause });
  }
}

/** The one positional argument of a command. Throws `usage` when it is missing or not alone. */
export function onlyPositional(command: string, positionals: readonly string[], what: string): string {
  const [only, ...more] = positionals;
  if (only !== undefined && more.length === 0) return only;
  const problem =
    only === undefined ? `The ${what} is missing.` : `One ${what} was expected, and ${positionals.length} came.`;
  const quote = only !== undefined && what === 'task' ? 'Quote text with spaces. ' : '';
  throw new CapstanError('usage', problem, { hint: `${quote}See capstan ${command} --help.` });
}
