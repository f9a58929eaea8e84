import type { Tool } from '@capstan/tool-server';
import { listCommandsTool } from './commands/list-commands-tool.ts';
import { runCommandTool } from './commands/run-command-tool.ts';
import { shellTool } from './commands/shell-tool.ts';
import { listJobsTool } from './jobs/list-jobs-tool.ts';
import { readJobTool } from './jobs/read-job-tool.ts';
import { startJobTool } from './jobs/start-job-tool.ts';
import { stopJobTool } from './jobs/stop-job-tool.ts';
import { listChecksTool } from './list-checks-tool.ts';
import { runCheckTool } from './run-check-tool.ts';
import type { RunParts } from './run-parts.ts';
import { startingTool, workspaceTool } from './starting-tool.ts';

/** For the host's model: how the tools belong together. */
export const instructions =
  'Runs what a repository brings along, in a sandbox: its checks (list_checks, run_check), which are judged, and its ' +
  'other commands (list_commands, run_command), which may go on in the background (start_job, read_job, stop_job).';

/** All tools of this server; the shell only where a person switched it on. */
export function execTools(parts: RunParts): readonly Tool[] {
  const { options, reader, jobs } = parts;
  const looking = [listChecksTool(options, reader), listCommandsTool(options, reader)];
  const starting = [runCheckTool(parts), runCommandTool(parts), startJobTool(parts)];
  if (options.shell) starting.push(shellTool(parts));
  return [
    ...looking.map((tool) => workspaceTool(parts, tool)),
    ...starting.map((tool) => startingTool(parts, tool)),
    ...[readJobTool(parts), stopJobTool(jobs), listJobsTool(jobs)],
  ];
}
