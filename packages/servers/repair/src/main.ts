import { containedProgramOptions, withDefaults } from '@capstan/contained-server';
import { createSandboxRunner, discardingRunner, openUppers } from '@capstan/sandbox';
import { runServer } from '@capstan/tool-server';
import { workspaceReader } from '@capstan/workspace';
import { localiseFaultTool } from './localise-fault.ts';
import { proposePatchesTool } from './propose-patches.ts';
import { readOptions } from './repair-options.ts';
import { openState } from './repair-state.ts';
import { validatePatchTool } from './validate-patch.ts';

await runServer(
  {
    name: 'repair',
    version: '0.1.0',
    summary: 'finds and mends a fault that failing tests show, without a model',
    options: {
      ...containedProgramOptions,
      protect: { value: 'PATTERN', multiple: true, description: 'Paths that no patch changes, e.g. "tests/**"' },
    },
    open: async (_given, argv) => {
      const options = readOptions(await withDefaults(argv, process.env));
      const runner = createSandboxRunner({ kind: options.sandbox, searchPath: options.searchPath });
      const parts = {
        options,
        reader: workspaceReader(options.root),
        runner: discardingRunner(runner, openUppers(options.state, options.uppers)),
        state: openState(options.state),
      };
      return {
        instructions:
          'Test-guided repair without a model: localise_fault, then propose_patches, then validate_patch. It claims no more ' +
          'than "passes your tests" and never changes the workspace.',
        tools: [localiseFaultTool(parts), proposePatchesTool(parts), validatePatchTool(parts)],
      };
    },
  },
  process,
);
