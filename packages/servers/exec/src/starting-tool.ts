import { existsSync } from 'node:fs';
import type { Tool } from '@capstan/tool-server';
import { commandFailures } from './commands/command-failures.ts';
import type { RunParts } from './run-parts.ts';

/** A tool that looks into the workspace: it says so when that is gone. */
export function workspaceTool({ options }: Pick<RunParts, 'options'>, tool: Tool): Tool {
  return {
    ...tool,
    handler: async (input, context) =>
      existsSync(options.root) ? tool.handler(input, context) : commandFailures.workspaceGone(),
  };
}

/** A tool that also starts something: it refuses while too many calls are being served. */
export function startingTool(parts: Pick<RunParts, 'options' | 'jobs'>, tool: Tool): Tool {
  const looking = workspaceTool(parts, tool);
  return {
    ...looking,
    handler: async (input, context) =>
      (await parts.jobs.admit(() => looking.handler(input, context))) ?? commandFailures.busy(),
  };
}
