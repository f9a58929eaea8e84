import type { Failure } from '@capstan/contracts';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { sentenceOf } from './answer-call.ts';

/** A failure of a request that is no tool call: a JSON-RPC error, with the value in its data. */
export function protocolFailure(failure: Failure): ProtocolError {
  const code = failure.level === 'param' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, sentenceOf(failure), { 'capstan/failure': failure });
}
