import { type Rule, toolRule } from '../rule.ts';
import { hasEffect } from '../text/tool-effect.ts';
import { schemaParts } from '../text/tool-parameters.ts';

const dryRunName =
  /^(?:is)?_?(?:dry_?run|preview|simulate|what_?if|(?:check|validate|plan)_?only|no_?op|试运行|预览)$/iu;

const saysNone = /\b(?:changes?|writes?|modif(?:y|ies)) nothing\b|不(?:会)?(?:改变|修改|更改)任何/iu;

/** What a tool would do can be seen before it is done (requirement T9). */
export const dryRunRules: readonly Rule[] = [
  toolRule('dry-run', (tool) => {
    if (!hasEffect(tool) || saysNone.test(tool.description ?? '')) return undefined;
    const isThere = schemaParts(tool).parameters.some(({ name, isTop }) => isTop && dryRunName.test(name));
    if (isThere) return undefined;
    return {
      level: 'warning',
      message: 'The tool has an effect, and no way to see it before.',
      advice: 'Add a parameter dryRun that answers with what would happen: the diff, the command line or the request.',
    };
  }),
];
