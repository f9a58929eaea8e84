import { CapstanError } from '@capstan/contracts';
import { ProtocolError } from '@modelcontextprotocol/client';

/** True for what speaks against a server itself; an answer that says no is an answer. */
export function countsAgainstServer(error: unknown): boolean {
  if (ProtocolError.isInstance(error)) return false;
  if (error instanceof DOMException && error.name === 'AbortError') return false;
  return !(error instanceof CapstanError) || error.code === 'server-failed';
}
