import { performance } from 'node:perf_hooks';
import { containedProgramOptions } from '@capstan/contained-server';
import { createSandboxRunner, openUppers } from '@capstan/sandbox';
import { runServer } from '@capstan/tool-server';
import { workspaceReader } from '@capstan/workspace';
import { readOptions } from './exec-options.ts';
import { listChecksTool } from './list-checks-tool.ts';
import { removeOldReports } from './report-folder.ts';
import { runCheckTool } from './run-check-tool.ts';

await runServer(
  {
    name: 'exec',
    version: '0.1.0',
    summary: 'runs the checks of one repository in a sandbox',
    options: containedProgramOptions,
    open: async (_given, argv) => {
      const options = readOptions(argv);
      await removeOldReports(options.state);
      const reader = workspaceReader(options.root);
      const runner = createSandboxRunner({ kind: options.sandbox, searchPath: options.searchPath });
      const uppers = openUppers(options.state, options.uppers);
      const clock = { steady: () => performance.now() };
      return {
        instructions:
          'Runs the checks of a repository in a sandbox. Call list_checks first, then run_check with an id of it.',
        tools: [listChecksTool(options, reader), runCheckTool({ options, reader, runner, clock, uppers })],
      };
    },
  },
  process,
);
