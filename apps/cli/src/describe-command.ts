/** An option of a command, such as `--model NAME`. */
export interface OptionDescription {
  readonly type: 'boolean' | 'string';
  /** One line for the help page. */
  readonly summary: string;
  /** How help calls the value of a string option, such as PATH. */
  readonly value?: string;
  /** What the shell offers for the value. */
  readonly completes?: 'folder';
  /** For Capstan's own use: parsed, but not shown. */
  readonly hidden?: true;
}

/** A word that belongs to a command without a name before it, such as SESSION. */
export interface OperandDescription {
  /** How help calls it. */
  readonly placeholder: string;
  /** How messages call it: "The session id is missing." */
  readonly what: string;
  /** One line for the help page, where the placeholder does not say it all. */
  readonly summary?: string;
  readonly optional?: true;
  /** As many as are given; the last one of a command, and optional. */
  readonly many?: true;
  /** The only words that fit. */
  readonly choices?: readonly string[];
  /** What the shell offers for it, beside its choices. */
  readonly completes?: 'session';
}

type Operands = Readonly<Record<string, OperandDescription>>;
type Options = Readonly<Record<string, OptionDescription>>;

/**
 * Everything about a command but its work: what parsing, help pages, the overview, the table in the README and shell
 * completion are made from. It imports nothing heavy, so that help and errors are fast.
 */
export interface CommandDescription<
  Name extends string = string,
  OwnOperands extends Operands = Operands,
  OwnOptions extends Options = Options,
> {
  readonly name: Name;
  /** One line for the overview and the README. */
  readonly summary: string;
  /** Paragraphs for the help page, at most 120 characters a line. */
  readonly about?: string;
  /** In their order on the command line; optional ones are last. */
  readonly operands: OwnOperands;
  readonly options: OwnOptions;
  /** Whole command lines that begin with "capstan", or with variables before it. */
  readonly examples: readonly string[];
  /** With `--json` it prints an event a line, and its failures as the last one of them. */
  readonly streams?: true;
}

/** A description with the types of its own operands and options. */
export function describeCommand<
  const Name extends string,
  const OwnOperands extends Operands,
  const OwnOptions extends Options,
>(description: CommandDescription<Name, OwnOperands, OwnOptions>): CommandDescription<Name, OwnOperands, OwnOptions> {
  return description;
}

type OperandValue<Operand extends OperandDescription> = Operand extends { readonly many: true }
  ? readonly string[]
  : OneValue<Operand>;

type OneValue<Operand extends OperandDescription> =
  | (Operand extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)
  | (Operand extends { readonly optional: true } ? undefined : never);

type OptionValue<Option extends OptionDescription> = Option extends { readonly type: 'boolean' }
  ? boolean
  : string | undefined;

/** What parsing gives for a description. */
export interface Arguments<OwnOperands extends Operands, OwnOptions extends Options> {
  readonly operands: { readonly [Key in keyof OwnOperands]: OperandValue<OwnOperands[Key]> };
  readonly options: { readonly [Key in keyof OwnOptions]: OptionValue<OwnOptions[Key]> };
}
