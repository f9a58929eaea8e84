import { CapstanError, type Failure } from '@capstan/contracts';
import type { CatalogTool } from './catalog/catalog-tool.ts';
import type { CallState } from './stage.ts';

const officialMilliseconds = 10 * 60_000;
const otherMilliseconds = 60_000;

/** How long a call may take, and whether that is what the run's deadline leaves rather than the server's own limit. */
export function callTime(state: CallState, { spec }: CatalogTool): { milliseconds: number; endsRun: boolean } {
  const own = spec.callMilliseconds ?? (spec.trust === 'official' ? officialMilliseconds : otherMilliseconds);
  const left = Math.max(1, timeLeft(state));
  return left < own ? { milliseconds: left, endsRun: true } : { milliseconds: own, endsRun: false };
}

/** Milliseconds until the run's deadline; negative after it, infinite without one. */
function timeLeft({ context, gateway }: CallState): number {
  return context.deadline === undefined ? Number.POSITIVE_INFINITY : context.deadline - gateway.options.clock.steady();
}

/** The failure of a call for which the run has no time left. */
export function budgetSpent(message: string): Failure {
  const hint = 'Start a new run with a larger budget: --timeout MIN, or budget.minutes in the configuration.';
  return { level: 'fatal', code: 'budget-spent', message, hint };
}

/** Has a server started if it was not; the failure when it cannot be, or not by the run's deadline. */
export async function startServer(state: CallState, server: string): Promise<Failure | undefined> {
  const { call, gateway } = state;
  try {
    const client = timeLeft(state) > 0 ? await beforeDeadline(state, gateway.pool.client(server)) : undefined;
    return client === undefined ? budgetSpent(`The run's time was spent before ${call.name} was sent.`) : undefined;
  } catch (error) {
    if (error instanceof CapstanError) return error.toFailure();
    throw error;
  }
}

/** What `promise` gives, or `undefined` when it has not by the run's deadline. */
async function beforeDeadline<Value>(state: CallState, promise: Promise<Value>): Promise<Value | undefined> {
  const left = timeLeft(state);
  if (left === Number.POSITIVE_INFINITY) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(Math.max(0, left), officialMilliseconds));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
