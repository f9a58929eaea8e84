export * from './check-permission.ts';
export * from './check-run.ts';
export * from './detect-checks.ts';
export * from './old-node.ts';
export * from './plain-text.ts';
export * from './read-report.ts';
export * from './report-request.ts';
export { goText } from './reports/read-go.ts';
export * from './repository-reader.ts';
