export { redactValue } from './redact-value.ts';
export { createRedactor, redactionMark } from './redactor.ts';
export { secretsFromEnvironment } from './secrets-from-environment.ts';
