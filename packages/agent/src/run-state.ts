import { Failure, RunStatus, TaskKind } from '@capstan/contracts';
import { z } from 'zod';

export const NodeName = z.enum(['understand', 'plan', 'execute', 'verify', 'reflect', 'human', 'done']);
export type NodeName = z.infer<typeof NodeName>;

/** A question to a human about one exact thing: a call, or whether to go on after failed attempts. */
export const Waiting = z.strictObject({
  callId: z.string(),
  argumentDigest: z.string(),
  tool: z.string(),
  rule: z.string(),
  summary: z.string(),
});
export type Waiting = z.infer<typeof Waiting>;

/** How a run ended, decided by a node and reported by `done`. */
export const Ending = z.strictObject({ status: RunStatus, failure: Failure.optional() });
export type Ending = z.infer<typeof Ending>;

/** What the run has used so far. */
export const Usage = z.strictObject({
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  modelRequests: z.number().int(),
  toolCalls: z.number().int(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * The state of the graph: ids, digests and counters only (requirement A2). Messages, arguments and results live in the
 * event log and are read back from there, so a checkpoint stays small however long the run is.
 */
export const RunState = z.strictObject({
  next: NodeName,
  step: z.number().int().describe('Node runs so far; part of every id and event key'),
  redo: z.number().int().nullable().describe('Step under whose ids the node works that a human has to answer for'),
  spent: z.number().describe('Milliseconds that nodes have worked: no waiting for a human, no time without a process'),
  kind: TaskKind,
  checks: z.array(z.string()).describe("Ids of the repository's test checks"),
  failing: z.number().int().describe('Tests that failed when the present attempt began'),
  attempts: z.number().int().describe('Failed attempts'),
  answeredAttempts: z.number().int().describe('Failed attempts after which a human said to go on'),
  idleAttempts: z.number().int().describe('Failed attempts in a row that changed nothing'),
  staleTurns: z.number().int().describe('Turns in a row that showed nothing new'),
  tried: z.array(z.string()).describe('Ids of patches, or trees, that did not pass'),
  failures: z.array(z.string()).describe('Why the last attempts failed'),
  turn: z.number().int().describe('Step of the plan that decided the pending calls'),
  pending: z.array(z.string()).describe('Ids of calls that are decided and not yet made'),
  recent: z.array(z.string()).describe('Digests of the last calls with their results'),
  roundStart: z.number().int().describe('Event row after which the repair of the present bug began'),
  snapshot: z.string().describe('Tree at the beginning of the present attempt'),
  tree: z.string().describe('Tree at the end of the attempt that was verified last'),
  denials: z.number().int(),
  waiting: Waiting.nullable(),
  returnTo: NodeName.nullable().describe('Node that goes on after the human'),
  used: Usage,
  ending: Ending.nullable(),
});
export type RunState = z.infer<typeof RunState>;

/** The state in which a run starts. */
export function initialState(): RunState {
  return {
    next: 'understand',
    step: 0,
    redo: null,
    spent: 0,
    kind: 'change',
    checks: [],
    failing: 0,
    attempts: 0,
    answeredAttempts: 0,
    idleAttempts: 0,
    staleTurns: 0,
    tried: [],
    failures: [],
    turn: 0,
    pending: [],
    recent: [],
    roundStart: 0,
    snapshot: '',
    tree: '',
    denials: 0,
    waiting: null,
    returnTo: null,
    used: { promptTokens: 0, completionTokens: 0, modelRequests: 0, toolCalls: 0 },
    ending: null,
  };
}
