import type { Command } from '@capstan/contracts';

/** A command behind which any words may be put: what they mean is up to its program. */
export function freeWords(argv: readonly string[]): Pick<Command, 'argv' | 'parameters'> {
  return {
    argv: [...argv, '{arguments}'],
    parameters: [{ name: 'arguments', type: 'arguments', optional: true, many: true }],
  };
}
