import type { Failure } from '@capstan/contracts';
import { redactValue } from '@capstan/telemetry';
import type { PendingReply, ToolReply } from '@capstan/tool-server';
import { showArrival } from '../content/answer.ts';
import { type Arrival, performRequest } from '../network/perform-request.ts';
import { type CallerRequest, type PlannedRequest, planRequest, showRequest } from '../network/plan-request.ts';
import { hasNoEffect } from '../rules/http-config.ts';
import type { CallDeps } from './call-deps.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly dryRun: boolean;
  readonly offset: number;
  readonly source: boolean;
  /** The argument by which the next call goes on in a text; a request with an effect has none. */
  readonly goOn?: string;
}

/** A reply that asks the host for nothing. */
export type CallReply = Exclude<ToolReply, PendingReply>;

/** Longer waits than this are not worth a retry within a run. Milliseconds. */
const longestWait = 120_000;

/**
 * One call from its arguments to its reply. Whatever the reply is, a failure too, no secret of the configuration is in it.
 */
export async function runCall(deps: CallDeps, request: CallerRequest, options: CallOptions): Promise<CallReply> {
  const reply = await replyTo(deps, request, options);
  // Bytes of images were looked through before: only what is text is redacted here.
  const { parts, ...words } = { parts: [], ...reply };
  return { ...redactValue(words, deps.redact), parts };
}

async function replyTo(deps: CallDeps, request: CallerRequest, options: CallOptions): Promise<CallReply> {
  const planned = planRequest(deps.rules, request);
  if ('failure' in planned) return planned;
  if (options.dryRun) return dryRun(planned);
  const answer = await deps.queue.run(() => performRequest(deps, planned, options.signal), options.signal);
  if (!answer.accepted) return { failure: busy };
  const arrival = answer.value;
  if ('failure' in arrival) return arrival;
  return laterFailure(arrival, request.method) ?? showArrival(arrival, { ...deps, ...options });
}

function dryRun(planned: PlannedRequest): CallReply {
  const request = showRequest(planned);
  return {
    text: `Dry run: nothing was sent.\n\n${request}`,
    structured: { external: true, sent: false, request, url: planned.url.href },
  };
}

const busy: Failure = {
  level: 'retryable',
  code: 'busy',
  message: 'Too many requests wait at this server. Nothing was sent.',
  afterMs: 1000,
};

/** A host that asks to come back later: 429 says that nothing was done; the others say so of what has no effect. */
function laterFailure({ status, headers, url }: Arrival, method: string): CallReply | undefined {
  const isLater = status === 429 || ([502, 503, 504].includes(status) && hasNoEffect(method));
  if (!isLater) return undefined;
  const afterMs = waitOf(headers['retry-after']);
  if (afterMs > longestWait) return undefined;
  return { failure: { level: 'retryable', code: 'later', message: `${url.host} answered ${status}.`, afterMs } };
}

/** Of a header that gives seconds; a date counts as too long. */
function waitOf(header: string | undefined): number {
  if (header === undefined) return 1000;
  return /^\d{1,6}$/u.test(header) ? Number(header) * 1000 : Number.POSITIVE_INFINITY;
}
