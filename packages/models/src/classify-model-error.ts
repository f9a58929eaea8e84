import { CapstanError } from '@capstan/contracts';
import type { Attempt } from './attempt-request.ts';

/** Statuses that another attempt can cure; every status from 500 on is one too. */
const retryableStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

const longestMessage = 300;

/** What went wrong with an attempt, and whether another one makes sense. */
export function classifyModelError(
  thrown: unknown,
  attempt: Pick<Attempt, 'name' | 'baseUrl'>,
): { error: CapstanError; afterMs: number | undefined } {
  const status = numberMember(thrown, 'status');
  const retryable = status === undefined ? !isProgrammingError(thrown) : status >= 500 || retryableStatuses.has(status);
  const spent = status === 429 && /insufficient[_ -]?quota/i.test(describe(thrown));
  const where = `model "${attempt.name}" at ${attempt.baseUrl}`;
  const error = new CapstanError('model-failed', `${where} failed: ${describe(thrown)}`, {
    level: retryable && !spent ? 'retryable' : 'fatal',
    hint: hintFor(status, spent),
    cause: thrown,
  });
  return { error, afterMs: retryAfter(thrown) };
}

function hintFor(status: number | undefined, spent: boolean): string {
  if (spent) return 'The account at this endpoint has no quota left: add credit, or choose another model.';
  if (status === 401 || status === 403) return 'The endpoint refused the key: check the API key of this model.';
  if (status === 404) return 'Check the name of the model and the address of the endpoint (it usually ends in /v1).';
  if (status === 400 || status === 413 || status === 422)
    return 'The endpoint did not accept the request: check that the model supports tool calls and has room for the context.';
  if (status === 429) return 'The endpoint limits requests: wait, or choose another model.';
  if (status === undefined) return 'Check that the endpoint is running and can be reached from this machine.';
  return 'The endpoint is in trouble: try again later, or choose another model.';
}

/** A mistake in our own code must not be retried as if the network had failed. */
function isProgrammingError(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || thrown.cause !== undefined) return false;
  return (
    (thrown instanceof TypeError && !/fetch failed|terminated/i.test(thrown.message)) ||
    thrown instanceof ReferenceError
  );
}

function describe(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : '';
  const line = `${message}${cause}`
    .replace(/\s+/g, ' ')
    .replace(/Troubleshooting URL: \S+/, '')
    .trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}...` : line;
}

/** Milliseconds that the endpoint asked us to wait. */
function retryAfter(thrown: unknown): number | undefined {
  if (thrown === null || typeof thrown !== 'object' || !('headers' in thrown)) return undefined;
  const { headers } = thrown;
  const text = headers instanceof Headers ? headers.get('retry-after') : undefined;
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function numberMember(value: unknown, name: string): number | undefined {
  if (value === null || typeof value !== 'object' || !(name in value)) return undefined;
  const member = (value as Record<string, unknown>)[name];
  return typeof member === 'number' ? member : undefined;
}
