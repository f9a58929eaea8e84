import { defineTool, type Tool } from '@capstan/tool-server';
import { openFolderInside } from '@capstan/workspace';
import { z } from 'zod';
import type { RunParts } from '../run-parts.ts';
import { orderRun } from './order-command.ts';
import { dryRunArgument, timeArgument } from './run-arguments.ts';
import { planReply, RunReply } from './run-reply.ts';
import { waitForRun } from './wait-for-run.ts';

/** The tool for free shell commands: only there where a person switched it on, and in the sandbox like all else. */
export function shellTool(parts: RunParts): Tool {
  return defineTool({
    name: 'shell',
    title: 'Shell',
    description:
      'Runs any shell command in the sandbox: the workspace is writable, there is no network, no home folder and no ' +
      'standard input. Use it only for what no command of list_commands does; for tests use run_check, to read and change ' +
      'files the fs servers. What it starts ends with it. Output: 8 KiB, head and tail; read_job reads the rest.',
    tier: 'dangerous',
    idempotent: false,
    input: z.strictObject({
      command: z.string().min(1).max(32_768).describe('What the shell reads, e.g. "grep -c TODO src/*.ts | sort"'),
      directory: z.string().max(4000).default('.').describe('A folder of the workspace, e.g. "packages/cart"'),
      timeoutMs: timeArgument(parts.options),
      dryRun: dryRunArgument,
    }),
    output: RunReply,
    handler: async ({ command, directory, timeoutMs, dryRun }, context) => {
      const folder = await openFolderInside(parts.options.root, directory);
      if ('failure' in folder) return folder;
      await folder.close();
      const argv = [parts.shell, '-c', command];
      const ordered = await orderRun(parts, { command: 'shell', argv, directory, timeoutMs });
      if ('failure' in ordered) return ordered;
      return dryRun ? planReply(parts, ordered) : waitForRun(parts, ordered.order, context);
    },
  });
}
