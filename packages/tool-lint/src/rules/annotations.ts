import type { ToolAnnotations } from '@capstan/contracts';
import { type Found, type Rule, toolRule } from '../rule.ts';
import { namedEffect } from '../text/tool-effect.ts';

type Said = Omit<Found, 'tool'>;

/** Hosts ask people, or do not, by these; MCP's defaults for what is missing are the worst case. */
export const annotationRules: readonly Rule[] = [
  toolRule('annotations-missing', ({ annotations = {} }) => {
    const missing = neededHints(annotations).filter((hint) => annotations[hint] === undefined);
    if (missing.length === 0) return undefined;
    return {
      level: 'warning',
      message: `Annotations are missing: ${missing.join(', ')}.`,
      advice: 'Set them all: hosts take a tool without them for one that destroys and reaches the network.',
    };
  }),
  toolRule('annotations-contradict', ({ name, annotations = {}, _meta }) => {
    return withEachOther(annotations) ?? withTier(annotations, _meta?.['capstan/tier']) ?? withName(name, annotations);
  }),
];

/** `destructiveHint` and `idempotentHint` mean nothing for tools that only read. */
function neededHints({ readOnlyHint }: ToolAnnotations) {
  const always = ['readOnlyHint', 'openWorldHint'] as const;
  return readOnlyHint === true ? always : ([...always, 'destructiveHint', 'idempotentHint'] as const);
}

function withEachOther({ readOnlyHint, destructiveHint }: ToolAnnotations): Said | undefined {
  if (readOnlyHint !== true || destructiveHint !== true) return undefined;
  return {
    level: 'error',
    message: 'readOnlyHint and destructiveHint are both true.',
    advice: 'A tool that destroys does not only read: correct one of them.',
  };
}

function withTier({ readOnlyHint }: ToolAnnotations, tier: unknown): Said | undefined {
  const saysRead = tier === 'read';
  if (typeof tier !== 'string' || readOnlyHint === undefined || readOnlyHint === saysRead) return undefined;
  return {
    level: 'error',
    message: `The tier is ${tier}, and readOnlyHint is ${readOnlyHint}.`,
    advice: 'Correct one of them.',
  };
}

function withName(name: string, { readOnlyHint, destructiveHint }: ToolAnnotations): Said | undefined {
  const effect = namedEffect(name);
  if (readOnlyHint === true && (effect === 'destroys' || effect === 'writes')) {
    return {
      level: 'error',
      message: `readOnlyHint is true, and the name ${name} says that it changes something: hosts run it without asking.`,
      advice: 'Set readOnlyHint to false, or give it a name that says what it does.',
    };
  }
  if (readOnlyHint === false && effect === 'reads') {
    return {
      level: 'warning',
      message: `readOnlyHint is false, and the name ${name} says that it only reads.`,
      advice: 'Set readOnlyHint to true, or give it a name that says what it changes.',
    };
  }
  if (readOnlyHint !== true && destructiveHint === false && effect === 'destroys') {
    return {
      level: 'warning',
      message: `destructiveHint is false, and the name ${name} says that something is lost.`,
      advice: 'Set destructiveHint to true: it is false only for tools that add and never take away.',
    };
  }
  return undefined;
}
