export type { LintFinding, LintLevel } from './lint-finding.ts';
export { lintServers } from './lint-servers.ts';
export type { LintedServer } from './linted-server.ts';
