import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { withDefaults } from '@capstan/contained-server';
import { createSandboxRunner, openUppers } from '@capstan/sandbox';
import { runServer } from '@capstan/tool-server';
import { workspaceReader } from '@capstan/workspace';
import { execProgramOptions, readOptions } from './exec-options.ts';
import { execTools, instructions } from './exec-tools.ts';
import { JobTable } from './jobs/job-table.ts';
import { execPrompts } from './prompts.ts';
import { removeOldReports } from './report-folder.ts';

await runServer(
  {
    name: 'exec',
    version: '0.1.0',
    summary: 'runs the checks and commands of one repository in a sandbox',
    options: execProgramOptions,
    open: async (_given, argv) => {
      const options = readOptions(await withDefaults(argv, process.env));
      const reader = workspaceReader(options.root);
      const runner = createSandboxRunner({ kind: options.sandbox, searchPath: options.searchPath });
      const uppers = openUppers(options.state, options.uppers);
      const clock = { steady: () => performance.now() };
      const jobs = await JobTable.open(options.state, clock);
      await removeOldReports(options.state);
      const shell = existsSync('/usr/bin/bash') ? '/usr/bin/bash' : '/bin/sh';
      const tools = execTools({ options, reader, runner, uppers, clock, jobs, shell });
      return { instructions, tools, prompts: execPrompts(options, reader) };
    },
  },
  process,
);
