export type { AgentDeps, RunInput } from './agent-deps.ts';
export { classifyTask } from './classify-task.ts';
export { agentTools } from './declared-tools.ts';
export { performCall } from './perform-call.ts';
export { type RunOutcome, runGraph } from './run-graph.ts';
export { usageOf } from './run-log.ts';
export type { Waiting } from './run-state.ts';
