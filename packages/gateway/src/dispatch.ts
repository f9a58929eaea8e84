import { CapstanError, type Failure } from '@capstan/contracts';
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { budgetSpent } from './call-time.ts';
import type { ServerPool, WireCall, WireResult } from './servers/server-pool.ts';

/** What is known after a call was sent. */
export type Reply =
  | { readonly kind: 'answer'; readonly result: WireResult }
  /** The server said that it did not do it. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** Nothing was sent. */
  | { readonly kind: 'not-sent'; readonly failure: Failure }
  /** It was sent and no answer came: it may have been done. */
  | { readonly kind: 'lost'; readonly failure: Failure };

/** MCP `tools/call` to a server's process, through its breaker. Never throws. */
export async function dispatch(pool: ServerPool, server: string, call: WireCall): Promise<Reply> {
  let sent = false;
  try {
    const client = await pool.client(server);
    const result = await pool.breaker(server).run(() => {
      sent = true;
      return client.callTool(call);
    });
    return { kind: 'answer', result };
  } catch (error) {
    if (ProtocolError.isInstance(error)) return { kind: 'refused', failure: refusal(server, error) };
    if (!sent) return { kind: 'not-sent', failure: notSent(server, error) };
    return { kind: 'lost', failure: lost(server, error, call) };
  }
}

/** Without the server's own words: they would reach a model as ours. */
function refusal(server: string, error: ProtocolError): Failure {
  const wrong = error.code === ProtocolErrorCode.InvalidParams || error.code === ProtocolErrorCode.MethodNotFound;
  const message = `${server} refused the call (JSON-RPC error ${error.code}).`;
  return { level: wrong ? 'param' : 'fatal', code: 'server-failed', message };
}

function notSent(server: string, error: unknown): Failure {
  if (error instanceof CapstanError) return error.toFailure();
  return { level: 'retryable', code: 'server-failed', message: `${server}: ${messageOf(error)}` };
}

function lost(server: string, error: unknown, call: WireCall): Failure {
  if (call.endsRun === true && SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    return budgetSpent(`${server} had given no answer when the run's time was spent: the call may have been done.`);
  }
  const reason = call.signal?.aborted ? 'the call was cancelled' : messageOf(error);
  return {
    level: call.signal?.aborted ? 'fatal' : 'retryable',
    code: 'server-failed',
    message: `${server} gave no answer: ${reason}`,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
