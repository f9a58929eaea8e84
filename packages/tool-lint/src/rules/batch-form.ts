import type { WireTool } from '@capstan/contracts';
import type { LintedServer } from '../linted-server.ts';
import { type Rule, toolRule } from '../rule.ts';
import { nameWords } from '../text/name-words.ts';
import { schemaParts } from '../text/tool-parameters.ts';

const oneThing = /^(?:path|file(?:_?(?:path|name))?|url|uri|(?:\w+_)?id|name|key|symbol|文件|路径|编号)$/iu;

/** A model that needs ten of something should not have to call ten times (requirement T6). */
export const batchRules: readonly Rule[] = [
  toolRule('batch-form', (tool, server) => {
    const [only, ...others] = schemaParts(tool).parameters.filter(({ isTop, isRequired }) => isTop && isRequired);
    const takesOne = only !== undefined && others.length === 0 && only.schema.type === 'string';
    if (!takesOne || !oneThing.test(only.name) || hasPlural(tool, server)) return undefined;
    return {
      level: 'hint',
      message: `One ${only.name} a call: a model that needs many calls it in a loop.`,
      advice: 'Where many are usual, take a list and answer for each.',
    };
  }),
];

/** `read_file` beside `read_files`, `get_user` beside `get_users` or `batch_get_user`. */
function hasPlural({ name }: WireTool, { tools }: LintedServer): boolean {
  const words = nameWords(name);
  return tools.some((other) => {
    const plural = nameWords(other.name);
    const isMore = plural.some(
      (word) => /^(?:batch|bulk|many|multiple|multi|all)$/.test(word) || words.includes(word.replace(/s$/, '')),
    );
    return (
      other.name !== name &&
      isMore &&
      words.every((word) => plural.some((more) => more === word || more === `${word}s`))
    );
  });
}
