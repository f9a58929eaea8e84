import { runTool } from './checks/run-tool.ts';

const knip = 'knip/bin/knip.js';

/**
 * Files, exports and dependencies that nobody uses, by the rules of `knip.ts`; and files and dependencies that only tests
 * use without saying so.
 */
export function checkUnused(root: string): string[] {
  return [
    ...runTool(root, knip, ['--no-progress', '--treat-config-hints-as-errors']),
    ...runTool(root, knip, ['--no-progress', '--production', '--include', 'files,dependencies']),
  ];
}
