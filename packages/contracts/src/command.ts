import { z } from 'zod';

/** What a value of a parameter may be. Only `arguments` and `flag` give words that begin with "-". */
export const ParameterType = z.enum(['text', 'path', 'integer', 'choice', 'flag', 'arguments']);
export type ParameterType = z.infer<typeof ParameterType>;

/** One value that whoever runs a command may choose. It becomes one word of `argv`, or with `many` one word a value. */
export const CommandParameter = z.strictObject({
  name: z.string(),
  type: ParameterType,
  optional: z.boolean(),
  many: z.boolean().describe('Whether it takes a list'),
  values: z.array(z.string()).optional().describe('Of a choice'),
  min: z.number().int().optional(),
  max: z.number().int().optional(),
  option: z.string().optional().describe('The word that a flag puts in, e.g. "--watch"'),
});
export type CommandParameter = z.infer<typeof CommandParameter>;

/** A declared command (requirement T10): fixed words and typed parameters, run without a shell. A check is one, too. */
export const Command = z.strictObject({
  id: z.string().describe('e.g. "npm:build", "make:docs@packages/cart"'),
  kind: z.enum(['test', 'build', 'lint', 'other']),
  isCheck: z.boolean().describe('run_check takes it, too'),
  description: z.string().optional(),
  argv: z.array(z.string()).min(1).describe('"{name}" stands for a parameter'),
  parameters: z.array(CommandParameter),
  directory: z.string(),
  source: z.string().describe('Where it was found'),
});
export type Command = z.infer<typeof Command>;

/** A placeholder in a word of `argv`. */
export const placeholder = /\{([A-Za-z][A-Za-z0-9]*)\}/g;
