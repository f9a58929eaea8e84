import { z } from 'zod';
import { Label } from './label.ts';

export const TaskKind = z.enum(['answer', 'change', 'run']);
export type TaskKind = z.infer<typeof TaskKind>;

/** Which planner drives a run: a chat model, or test-guided repair without one. */
export const PlannerName = z.enum(['model', 'repair']);
export type PlannerName = z.infer<typeof PlannerName>;

/** Caps that end a run cleanly; each has a default, so that no run is unbounded. */
export const Budget = z.strictObject({
  steps: z.number().int().positive().default(60).describe('Graph steps, e.g. 60'),
  modelRequests: z.number().int().positive().default(40).describe('Requests to a chat model, e.g. 40'),
  tokens: z.number().int().positive().default(400_000).describe('Prompt and completion tokens together'),
  milliseconds: z
    .number()
    .int()
    .positive()
    .default(30 * 60_000)
    .describe('Wall time of the run'),
  failures: z.number().int().positive().default(3).describe('Failed attempts before a human is asked'),
});
export type Budget = z.infer<typeof Budget>;

/** A validated request for work: made once, by `startRun`, from raw input. */
export const Task = z.strictObject({
  text: z.string().trim().min(1).max(64_000).describe('What to do, in English or Chinese'),
  label: Label.describe('Typed text is `user`; text from CI, issues or attachments is `external`'),
  repository: z.string().describe('Absolute path of the checkout'),
  folder: z
    .string()
    .optional()
    .describe('Folder of the checkout that the user named, relative to its top; absent for the whole'),
  planner: PlannerName,
  model: z.string().optional().describe('Name of the chat model, when the planner is `model`'),
  modelEndpoint: z
    .string()
    .optional()
    .describe('Where the model was when a person agreed to this run: code of the checkout goes nowhere else'),
  apply: z.boolean().describe('A recorded grant to apply the diff to the checkout at the end of this run'),
  approvals: z.enum(['contained', 'strict']).default('contained').describe('`strict` asks for every write'),
  budget: Budget,
});
export type Task = z.infer<typeof Task>;
