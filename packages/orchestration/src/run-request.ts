import { Budget, CapstanError, type PlannerName, Task } from '@capstan/contracts';
import { z } from 'zod';

/** What a face (CLI, HTTP...) hands over: the only place where raw input exists. */
export const RunRequest = z.strictObject({
  text: z.string(),
  repository: z.string().min(1),
  /** Name of a chat model; without one the planner is test-guided repair. */
  model: z.string().min(1).optional(),
  /** Where that model is, as a person agreed to it. */
  modelEndpoint: z.string().min(1).optional(),
  apply: z.boolean().default(false),
  /** `typed` by a person, or `external`: from CI, an issue, an attachment. */
  source: z.enum(['typed', 'external']).default('typed'),
  approvals: z.enum(['contained', 'strict']).default('contained'),
  budget: Budget.partial().default({}),
});
export type RunRequest = z.input<typeof RunRequest>;

/**
 * Turns raw input into a task. `folder` is the part of the repository that was named, relative to its root. Throws
 * `empty-task` or `usage`, with what to do.
 */
export function parseTask(raw: RunRequest, repositoryRoot: string, folder = ''): Task {
  const request = RunRequest.safeParse(raw);
  if (!request.success) throw usage(z.prettifyError(request.error));
  const { text, model, modelEndpoint, apply, source, approvals, budget } = request.data;
  if (text.trim() === '') {
    throw new CapstanError('empty-task', 'The task is empty.', {
      hint: 'Say what to do, for example: capstan run --repo PATH "make the failing tests pass".',
    });
  }
  const planner: PlannerName = model === undefined ? 'repair' : 'model';
  const task = Task.safeParse({
    text,
    label: { integrity: source === 'typed' ? 'user' : 'external', secrecy: 'public', origin: 'task' },
    repository: repositoryRoot,
    ...(folder === '' ? {} : { folder }),
    planner,
    ...(model === undefined ? {} : { model }),
    ...(modelEndpoint === undefined ? {} : { modelEndpoint }),
    apply,
    approvals,
    budget: Budget.parse(budget),
  });
  if (!task.success) throw usage(z.prettifyError(task.error));
  return task.data;
}

function usage(message: string): CapstanError {
  return new CapstanError('usage', message, { hint: 'See capstan run --help.' });
}
