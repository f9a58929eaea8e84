import { performance } from 'node:perf_hooks';
import { toFailure } from '@capstan/contracts';
import { createSandboxRunner, openUppers } from '@capstan/sandbox';
import { serveTools } from '@capstan/tool-server';
import { workspaceReader } from '@capstan/workspace';
import { readOptions } from './exec-options.ts';
import { listChecksTool } from './list-checks-tool.ts';
import { removeOldReports } from './report-folder.ts';
import { runCheckTool } from './run-check-tool.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  await removeOldReports(options.state);
  const reader = workspaceReader(options.root);
  const runner = createSandboxRunner({ kind: options.sandbox, searchPath: options.searchPath });
  const uppers = openUppers(options.state, options.uppers);
  const clock = { steady: () => performance.now() };
  await serveTools({
    name: 'exec',
    version: '0.1.0',
    instructions:
      'Runs the checks of a repository in a sandbox. Call list_checks first, then run_check with an id of it.',
    tools: [listChecksTool(options, reader), runCheckTool({ options, reader, runner, clock, uppers })],
  });
}

main().catch((error: unknown) => {
  const { message, hint } = toFailure(error);
  process.stderr.write(`${message}${hint === undefined ? '' : ` ${hint}`}\n`);
  process.exit(2);
});
