export type { AgentDeps, RunInput } from './agent-deps.ts';
export { type RunOutcome, runGraph } from './run-graph.ts';
export { usageOf } from './run-log.ts';
