import { toFailure } from '@capstan/contracts';
import { createSandboxRunner, discardingRunner, openUppers } from '@capstan/sandbox';
import { serveTools } from '@capstan/tool-server';
import { workspaceReader } from '@capstan/workspace';
import { localiseFaultTool } from './localise-fault.ts';
import { proposePatchesTool } from './propose-patches.ts';
import { readOptions } from './repair-options.ts';
import { openState } from './repair-state.ts';
import { validatePatchTool } from './validate-patch.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const runner = createSandboxRunner({ kind: options.sandbox, searchPath: options.searchPath });
  const parts = {
    options,
    reader: workspaceReader(options.root),
    runner: discardingRunner(runner, openUppers(options.state, options.uppers)),
    state: openState(options.state),
  };
  await serveTools({
    name: 'repair',
    version: '0.1.0',
    instructions:
      'Test-guided repair without a model: localise_fault, then propose_patches, then validate_patch. It claims no more ' +
      'than "passes your tests" and never changes the workspace.',
    tools: [localiseFaultTool(parts), proposePatchesTool(parts), validatePatchTool(parts)],
  });
}

main().catch((error: unknown) => {
  const { message, hint } = toFailure(error);
  process.stderr.write(`${message}${hint === undefined ? '' : ` ${hint}`}\n`);
  process.exit(2);
});
