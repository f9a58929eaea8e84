import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { CapstanError } from '@capstan/contracts';
import type { Arguments, CommandDescription, OperandDescription, OptionDescription } from '../describe-command.ts';

type Operands = Readonly<Record<string, OperandDescription>>;
type Options = Readonly<Record<string, OptionDescription>>;

/** Parses a command's arguments by its description, strictly. Throws `usage`, naming the command's help page. */
export function readArguments<OwnOperands extends Operands, OwnOptions extends Options>(
  description: CommandDescription<string, OwnOperands, OwnOptions>,
  args: readonly string[],
): Arguments<OwnOperands, OwnOptions> {
  const { values, positionals } = parse(description, args);
  // Each value has been checked against its description: here the two become one type.
  return {
    operands: readOperands(description, positionals),
    options: readOptions(description.options, values),
  } as Arguments<OwnOperands, OwnOptions>;
}

function parse({ name, options }: CommandDescription, args: readonly string[]) {
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([option, { type }]) => [option, { type }]),
  );
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    // Node adds advice, in further sentences or lines, that does not name our help page.
    throw new CapstanError('usage', `${message.split(/\.(?=\s)/)[0]?.replace(/\.$/, '')}.`, {
      hint: seeHelp(name),
      cause,
    });
  }
}

function readOptions(options: Options, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const value = (name: string, { type }: OptionDescription) => values[name] ?? (type === 'boolean' ? false : undefined);
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, value(name, option)]));
}

function readOperands(description: CommandDescription, words: readonly string[]): Record<string, unknown> {
  const operands = Object.entries(description.operands);
  const takesMany = operands.some(([, { many }]) => many);
  if (words.length > operands.length && !takesMany) throw tooMany(description, words);
  return Object.fromEntries(
    operands.map(([key, operand], at): [string, string | readonly string[] | undefined] => {
      if (operand.many) return [key, words.slice(at)];
      const word = words[at];
      if (word === undefined && operand.optional !== true) {
        throw new CapstanError('usage', `The ${operand.what} is missing.`, { hint: seeHelp(description.name) });
      }
      if (word !== undefined && operand.choices && !operand.choices.includes(word)) {
        throw wrongChoice(description.name, operand, word);
      }
      return [key, word];
    }),
  );
}

function tooMany({ name, operands }: CommandDescription, words: readonly string[]): CapstanError {
  const expected = Object.values(operands);
  const [only] = expected;
  const problem =
    only !== undefined && expected.length === 1
      ? `One ${only.what} was expected, and ${words.length} came.`
      : `"${words[expected.length]}" is one word too many.`;
  const quote = only?.placeholder.startsWith('"') ? 'Quote text with spaces. ' : '';
  return new CapstanError('usage', problem, { hint: `${quote}${seeHelp(name)}` });
}

function wrongChoice(name: string, { what, choices = [] }: OperandDescription, word: string): CapstanError {
  return new CapstanError('usage', `There is no ${name} ${what} "${word}".`, {
    hint: `Use: ${choices.map((choice) => `capstan ${name} ${choice}`).join(', ')}`,
  });
}

function seeHelp(name: string): string {
  return `See capstan ${name} --help.`;
}
