import type { Failure } from '@capstan/contracts';
import type { Refusal } from '@capstan/workspace';

interface Circumstances {
  readonly host: string;
  /** True if the request has an effect and may have reached the host. */
  readonly sent: boolean;
}

/** How long to wait before a host that did not answer is tried again. Milliseconds. */
const pauseMs = 1000;

const explanations: Readonly<Record<string, string>> = {
  ENOTFOUND: 'it has no address',
  EAI_AGAIN: 'its name could not be resolved now',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it did not answer',
  HPE_HEADER_OVERFLOW: 'its answer has headers that are too large',
};

const passing = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/**
 * What was thrown on the way to a host, as a failure. The text of the error is not used: a hostile host has a part in it.
 * A request with an effect that may have arrived is never `retryable`.
 */
export function failureOf(thrown: unknown, { host, sent }: Circumstances): Refusal {
  const code = codeOf(thrown);
  const because = explanations[code] ?? explainCode(code);
  if (sent && !isBeforeRequest(thrown, code)) return { failure: unknownOutcome(host, because) };
  const message = `${host} could not be reached: ${because}.`;
  if (passing.has(code)) return { failure: { level: 'retryable', code: 'unreachable', message, afterMs: pauseMs } };
  return { failure: { level: 'param', code: 'unreachable', message, hint: 'Use another address, or tell the user.' } };
}

/** The deadline of a call has passed. */
export function lateFailure(host: string, milliseconds: number, sent: boolean): Refusal {
  const because = `it had not answered in full after ${milliseconds} ms`;
  if (sent) return { failure: unknownOutcome(host, because) };
  const message = `${host} was given up: ${because}.`;
  return { failure: { level: 'retryable', code: 'timeout', message, afterMs: pauseMs } };
}

/** Nothing of a request is sent before there is a connection, and the certificate was accepted. */
function isBeforeRequest(thrown: unknown, code: string): boolean {
  const connecting = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
  return thrown instanceof AggregateError || connecting.includes(code) || isEncryptionCode(code);
}

function isEncryptionCode(code: string): boolean {
  return /CERT|SSL|TLS|SIGNED/u.test(code);
}

function unknownOutcome(host: string, because: string): Failure {
  return {
    level: 'fatal',
    code: 'unknown-outcome',
    message: `It is not known whether the request had its effect at ${host}: ${because}.`,
    hint: 'Do not send it again before somebody has looked whether it was carried out.',
  };
}

function explainCode(code: string): string {
  if (code.startsWith('HPE_')) return `its answer is no correct HTTP (${code})`;
  if (isEncryptionCode(code)) return `its certificate or encryption was not accepted (${code})`;
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

/** Of an AggregateError, which Node throws when all addresses failed, the first code. */
function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return '';
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  return 'code' in thrown && typeof thrown.code === 'string' && /^[\w-]{1,60}$/u.test(thrown.code) ? thrown.code : '';
}
