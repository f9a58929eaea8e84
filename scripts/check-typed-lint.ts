import { runTool } from './checks/run-tool.ts';

/** What takes types to see: promises that nobody waits for, values of type any, cases that a switch forgets. */
export function checkTypedLint(root: string): string[] {
  return runTool(root, 'oxlint/bin/oxlint', ['--deny-warnings', '--report-unused-disable-directives', '.']);
}
