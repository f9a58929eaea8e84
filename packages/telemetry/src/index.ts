export { redactValue } from './redact-value.ts';
export { createRedactor, createValueRedactor, redactionMark, shortestSecret } from './redactor.ts';
export { secretsFromEnvironment } from './secrets-from-environment.ts';
export { buildTrace, type TraceOptions } from './trace/build-trace.ts';
export { isFailure, outcomeText } from './trace/outcome-text.ts';
export { shortText } from './trace/short-text.ts';
export type * from './trace/trace-node.ts';
