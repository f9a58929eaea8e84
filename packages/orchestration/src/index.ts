export { applySession } from './apply-session.ts';
export type { GatewayRequest, OrchestrationDeps, SessionGateway } from './deps.ts';
export type { RunEnd } from './drive-run.ts';
export { applyFailure } from './finish-run.ts';
export { resumeRun } from './resume-run.ts';
export type { RunRequest } from './run-request.ts';
export { startRun } from './start-run.ts';
export { undoFailure } from './undo-failure.ts';
export { undoSession } from './undo-session.ts';
