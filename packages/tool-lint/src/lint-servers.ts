import type { LintFinding } from './lint-finding.ts';
import type { LintedServer } from './linted-server.ts';
import type { Rule } from './rule.ts';
import { annotationRules } from './rules/annotations.ts';
import { batchRules } from './rules/batch-form.ts';
import { contentRules } from './rules/content.ts';
import { descriptionRules } from './rules/descriptions.ts';
import { dryRunRules } from './rules/dry-run.ts';
import { lookAlikeRules } from './rules/look-alikes.ts';
import { nameRules } from './rules/names.ts';
import { parameterRules } from './rules/parameters.ts';
import { schemaRules } from './rules/schemas.ts';

const rules: readonly Rule[] = [
  ...nameRules,
  ...descriptionRules,
  ...lookAlikeRules,
  ...parameterRules,
  ...schemaRules,
  ...annotationRules,
  ...dryRunRules,
  ...batchRules,
  ...contentRules,
];

/**
 * Everything that the rules find in the tool lists of some servers (requirement T5): by server, in the order of its list.
 * Never throws, whatever a server lists. Heuristics read English and Chinese.
 */
export function lintServers(servers: readonly LintedServer[]): LintFinding[] {
  return servers.flatMap((server) => {
    const names = server.tools.map(({ name }) => name);
    const place = ({ tool }: LintFinding): number => (tool === undefined ? -1 : names.indexOf(tool));
    return rules
      .flatMap((rule) => rule.look(server, servers).map((found) => ({ rule: rule.id, server: server.name, ...found })))
      .sort((first, second) => place(first) - place(second));
  });
}
