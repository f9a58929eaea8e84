import { z } from 'zod';
import { CheckReport } from './check.ts';
import { Failure } from './error.ts';
import { Label } from './label.ts';
import { ModelAnswer, ModelMessage, ModelUsage } from './model.ts';
import { Task } from './task.ts';
import { CallOutcome, ToolCall } from './tool.ts';

/** How a run ended. `waiting` is not an end of the session: it can be resumed. */
export const RunStatus = z.enum(['done', 'unsolved', 'waiting', 'denied', 'failed']);
export type RunStatus = z.infer<typeof RunStatus>;

/** What the repository's own checks said before and after (requirement A4). */
export const Verification = z.strictObject({
  verdict: z.enum(['verified', 'not-verified', 'not-checked']),
  before: z.array(CheckReport),
  after: z.array(CheckReport),
  fixed: z.array(z.string()).describe('Tests that failed before and pass now'),
  broken: z.array(z.string()).describe('Tests that passed before and fail now'),
  stillFailing: z.array(z.string()),
  claims: z.array(z.strictObject({ sentence: z.string(), supported: z.boolean() })),
  reason: z.string().describe('One sentence for people'),
});
export type Verification = z.infer<typeof Verification>;

const planStep = z.strictObject({ title: z.string(), status: z.enum(['open', 'current', 'done', 'failed']) });

/** The payload of every event, by type. Names are noun-action. */
export const EventBody = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('run-start'), runId: z.string(), task: Task }),
  z.strictObject({ type: z.literal('run-resume'), runId: z.string(), life: z.number().int() }),
  z.strictObject({
    type: z.literal('workspace-open'),
    baseTree: z.string(),
    files: z.number().int(),
    notices: z.array(z.string()).optional().describe('What the copy lacks of the checkout, a sentence each'),
  }),
  z
    .strictObject({
      type: z.literal('workspace-progress'),
      phase: z.enum(['reading', 'writing']),
      files: z.number().int().describe('Read so far, or being written'),
    })
    .describe('Opening the workspace takes its time'),
  z.strictObject({ type: z.literal('sandbox-ready'), containment: z.string(), detail: z.string() }),
  z
    .strictObject({
      type: z.literal('dependencies-ready'),
      folders: z
        .array(z.strictObject({ path: z.string(), way: z.enum(['overlay', 'copy', 'read', 'none']) }))
        .readonly(),
      detail: z.string(),
    })
    .describe(
      'What git ignores and checks see nevertheless: below an overlay, as a copy, for reading only, or not at all',
    ),
  z
    .strictObject({ type: z.literal('checks-choose'), chosen: z.array(z.string()), left: z.array(z.string()) })
    .describe('Ids of the checks that the run goes by, and of those that none of these runs'),
  z.strictObject({ type: z.literal('node-enter'), node: z.string(), step: z.number().int() }),
  z.strictObject({ type: z.literal('plan-update'), planner: z.string(), steps: z.array(planStep) }),
  z.strictObject({ type: z.literal('message-add'), message: ModelMessage }),
  z.strictObject({
    type: z.literal('model-request'),
    model: z.string(),
    digest: z.string(),
    messages: z.number().int(),
  }),
  z.strictObject({ type: z.literal('model-answer'), answer: ModelAnswer }),
  z.strictObject({ type: z.literal('tool-call'), call: ToolCall }),
  z
    .strictObject({ type: z.literal('workspace-snapshot'), callId: z.string(), tree: z.string() })
    .describe('The tree to which the workspace goes back after this call, which may leave files behind'),
  z.strictObject({ type: z.literal('tool-result'), callId: z.string(), outcome: CallOutcome, durationMs: z.number() }),
  z.strictObject({
    type: z.literal('approval-request'),
    callId: z.string(),
    argumentDigest: z.string(),
    tool: z.string(),
    rule: z.string(),
    summary: z.string(),
  }),
  z.strictObject({ type: z.literal('approval-answer'), callId: z.string(), approved: z.boolean(), by: z.string() }),
  z
    .strictObject({ type: z.literal('taint-rise'), callId: z.string(), label: Label })
    .describe('The session came to hold external or secret content: written before that content reaches an agent'),
  z.strictObject({ type: z.literal('check-report'), phase: z.enum(['before', 'after']), report: CheckReport }),
  z.strictObject({ type: z.literal('attempt-fail'), attempt: z.number().int(), reason: z.string() }),
  z.strictObject({ type: z.literal('verification'), verification: Verification }),
  z.strictObject({
    type: z.literal('diff-ready'),
    files: z.array(z.string()),
    diff: z.string(),
    held: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal('diff-apply'), files: z.array(z.string()) }),
  z
    .strictObject({ type: z.literal('blob-miss'), sha256: z.string() })
    .describe('Stands for an event whose content is lost: only in what is read, never in the log'),
  z
    .strictObject({ type: z.literal('diff-undo'), files: z.array(z.string()) })
    .describe('An apply was taken back: these files of the checkout are as they were before it'),
  z.strictObject({
    type: z.literal('run-end'),
    runId: z.string(),
    sessionId: z.string(),
    status: RunStatus,
    exitCode: z.number().int(),
    answer: z.string().describe("The model's words, or the planner's summary: apart from what the system did"),
    failure: Failure.optional(),
    verification: Verification.optional(),
    usage: z.strictObject({ ...ModelUsage.shape, modelRequests: z.number().int(), toolCalls: z.number().int() }),
    files: z.array(z.string()).describe('What the diff changes'),
    applied: z.boolean(),
  }),
]);
export type EventBody = z.infer<typeof EventBody>;
export type EventType = EventBody['type'];

/** A row of the event log: numbered from 1 per session, append-only. */
export interface EventRow {
  readonly sessionId: string;
  readonly number: number;
  readonly at: number;
  readonly body: EventBody;
}
