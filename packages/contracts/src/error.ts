import { z } from 'zod';
import { systemFault } from './system-fault.ts';

/**
 * What the caller can do about a failure (requirement T8): `retryable` is tried again with back-off, `param` goes to
 * the model with its hint, `fatal` stops the run.
 */
export const ErrorLevel = z.enum(['retryable', 'param', 'fatal']);
export type ErrorLevel = z.infer<typeof ErrorLevel>;

/** A failure as a value: what travels in tool results, events and `run-end`. */
export const Failure = z.strictObject({
  level: ErrorLevel,
  code: z.string(),
  message: z.string(),
  hint: z.string().optional().describe('What to do about it, in one sentence'),
  afterMs: z.number().int().nonnegative().optional().describe('For `retryable`: not before this many milliseconds'),
});
export type Failure = z.infer<typeof Failure>;

/** Exit codes of `capstan run` and its neighbours; documented in the README. */
export const ExitCode = { done: 0, unsolved: 1, usage: 2, needsHuman: 3, environment: 4 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** One row per error code: the only place that maps a code to an exit code, HTTP status and JSON-RPC code. */
export const errorCodes = {
  usage: { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'bad-config': { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'empty-task': { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'no-repository': { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'not-a-checkout': { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'no-files': { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'folder-too-large': { exit: ExitCode.usage, http: 400, jsonRpc: -32602 },
  'unknown-session': { exit: ExitCode.usage, http: 404, jsonRpc: -32602 },
  'ambiguous-session': { exit: ExitCode.usage, http: 409, jsonRpc: -32602 },
  'session-busy': { exit: ExitCode.needsHuman, http: 409, jsonRpc: -32000 },
  'checkout-moved': { exit: ExitCode.needsHuman, http: 409, jsonRpc: -32000 },
  'held-for-review': { exit: ExitCode.needsHuman, http: 409, jsonRpc: -32000 },
  'not-verified': { exit: ExitCode.needsHuman, http: 409, jsonRpc: -32000 },
  'checkout-read-only': { exit: ExitCode.environment, http: 409, jsonRpc: -32000 },
  'no-tests': { exit: ExitCode.unsolved, http: 422, jsonRpc: -32000 },
  'tests-unstable': { exit: ExitCode.unsolved, http: 422, jsonRpc: -32000 },
  'tests-time-out': { exit: ExitCode.unsolved, http: 422, jsonRpc: -32000 },
  'unknown-approval': { exit: ExitCode.usage, http: 404, jsonRpc: -32602 },
  'approval-closed': { exit: ExitCode.needsHuman, http: 409, jsonRpc: -32000 },
  unsolved: { exit: ExitCode.unsolved, http: 422, jsonRpc: -32000 },
  'model-not-trusted': { exit: ExitCode.needsHuman, http: 403, jsonRpc: -32000 },
  denied: { exit: ExitCode.needsHuman, http: 403, jsonRpc: -32000 },
  'unknown-outcome': { exit: ExitCode.needsHuman, http: 409, jsonRpc: -32000 },
  'no-sandbox': { exit: ExitCode.environment, http: 503, jsonRpc: -32000 },
  'no-toolchain': { exit: ExitCode.environment, http: 503, jsonRpc: -32000 },
  'no-model': { exit: ExitCode.environment, http: 503, jsonRpc: -32000 },
  'model-failed': { exit: ExitCode.environment, http: 502, jsonRpc: -32000 },
  'server-failed': { exit: ExitCode.environment, http: 502, jsonRpc: -32000 },
  'storage-failed': { exit: ExitCode.environment, http: 503, jsonRpc: -32000 },
  'audit-broken': { exit: ExitCode.environment, http: 500, jsonRpc: -32000 },
  'lease-lost': { exit: ExitCode.environment, http: 409, jsonRpc: -32000 },
  'workspace-lost': { exit: ExitCode.environment, http: 410, jsonRpc: -32000 },
  stopped: { exit: ExitCode.needsHuman, http: 503, jsonRpc: -32000 },
  'budget-spent': { exit: ExitCode.unsolved, http: 422, jsonRpc: -32000 },
  internal: { exit: ExitCode.environment, http: 500, jsonRpc: -32603 },
} as const satisfies Record<string, { exit: ExitCode; http: number; jsonRpc: number }>;
export type ErrorCode = keyof typeof errorCodes;

/** The one thrown error of Capstan's own: unexpected outcomes that an edge turns into a message, a status or an exit code. */
export class CapstanError extends Error {
  override readonly name = 'CapstanError';
  readonly code: ErrorCode;
  readonly level: ErrorLevel;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { level?: ErrorLevel; hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.level = options.level ?? 'fatal';
    this.hint = options.hint;
  }

  get exitCode(): ExitCode {
    return errorCodes[this.code].exit;
  }

  toFailure(): Failure {
    const failure: Failure = { level: this.level, code: this.code, message: this.message };
    return this.hint === undefined ? failure : { ...failure, hint: this.hint };
  }
}

/** Turns anything that was thrown into a failure value; never includes a stack trace. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof CapstanError) return thrown.toFailure();
  const fault = systemFault(thrown);
  if (fault !== undefined) {
    const { level, message, hint, path } = fault;
    return { level, code: 'storage-failed', message: path === undefined ? message : `${message}: ${path}`, hint };
  }
  if (isMissingPackage(thrown)) {
    const hint = 'Capstan has changed since it was installed: run `npm ci` in its folder, then start again.';
    return { level: 'fatal', code: 'internal', message: thrown.message, hint };
  }
  return { level: 'fatal', code: 'internal', message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** A part that is loaded late, of a package that came with a new version of Capstan and is not installed. */
function isMissingPackage(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND';
}
