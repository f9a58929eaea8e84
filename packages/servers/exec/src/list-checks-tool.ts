import { detectChecks, permitChecks, type RepositoryReader } from '@capstan/checks';
import { Check } from '@capstan/contracts';
import { defineTool, type Tool } from '@capstan/tool-server';
import { z } from 'zod';
import type { ExecOptions } from './exec-options.ts';

/** The tool that tells which checks a workspace has. */
export function listChecksTool(options: ExecOptions, reader: RepositoryReader): Tool {
  return defineTool({
    name: 'list_checks',
    title: 'List checks',
    description:
      'Lists the checks of this repository: tests, build, lint and type-check scripts, with the ids that run_check takes. ' +
      'Use it before the first run_check, and after a manifest was changed. Checks of packages in a monorepo have "@" and ' +
      'their folder behind their ids; those that say "also run by" need no run of their own. It starts nothing. For all ' +
      'other commands use list_commands.',
    tier: 'read',
    idempotent: true,
    input: z.strictObject({}),
    output: z.strictObject({
      checks: z.array(Check),
      off: z.array(z.string()).describe('Ids of checks that the configuration switches off'),
      sandbox: z.enum(['bubblewrap', 'util-linux', 'none']),
    }),
    handler: async () => {
      const { permitted, off } = permitChecks(await detectChecks(reader), options.checks);
      const ids = off.map((check) => check.id);
      const structured = { checks: permitted, off: ids, sandbox: options.sandbox };
      return { text: describe(permitted, ids, options), structured };
    },
  });
}

function describe(checks: readonly Check[], off: readonly string[], options: ExecOptions): string {
  const contained =
    options.sandbox === 'none' ? 'There is no sandbox: run_check will refuse.' : `Sandbox: ${options.sandbox}.`;
  const switchedOff = off.length === 0 ? [] : [`Switched off by the configuration: ${off.join(', ')}.`];
  const lines = checks.map(describeCheck);
  if (lines.length === 0) lines.push('No checks that can be run were found in the workspace.');
  return [...lines, ...switchedOff, contained].join('\n');
}

function describeCheck(check: Check): string {
  const place = check.directory === '.' ? '' : `, package ${check.package ?? check.directory}`;
  const covered = check.coveredBy === undefined ? '' : `; also run by ${check.coveredBy}`;
  return `- ${check.id} (${check.kind}, ${check.framework}${place}): ${check.argv.join(' ')}${covered}`;
}
