import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** The error of a cursor that no page gave out. */
export function unknownCursor(): ProtocolError {
  const message = 'The cursor is none that this server gave out. Leave it out to begin with the first page.';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
