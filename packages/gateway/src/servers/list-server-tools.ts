import { CapstanError, type SandboxKind, type WireTool } from '@capstan/contracts';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { ServerSpec } from '../server-spec.ts';
import { connectClient } from './connect-client.ts';
import { launchPlan } from './launch-plan.ts';
import { ServerProcess } from './server-process.ts';

export interface ListOptions {
  readonly sandbox: { readonly kind: SandboxKind; readonly searchPath: string };
  readonly signal: AbortSignal;
  /** For the start and for each page of the list. */
  readonly milliseconds: number;
}

const graceMilliseconds = 1_000;
/** Of what a server said before it failed. */
const shownLines = 3;

/**
 * Starts one server as a gateway would, asks for its tools and ends it: no process is left when it settles. Throws
 * `no-sandbox` for a third-party server that could only run uncontained, and `server-failed`, with the server's last words
 * in the hint: they are for people, never for a model.
 */
export async function listServerTools(spec: ServerSpec, options: ListOptions): Promise<readonly WireTool[]> {
  const era = spec.era ?? (spec.trust === 'official' ? 'modern' : 'legacy');
  const process = new ServerProcess({ ...launchPlan(spec, options.sandbox), graceMilliseconds });
  const stop = (): void => void process.close();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    const { milliseconds } = options;
    const client = await connectClient(process, { era, milliseconds, onListChanged: () => undefined });
    return await client.listTools();
  } catch (cause) {
    await process.close();
    throw listError(spec, cause, process.diagnostics);
  } finally {
    options.signal.removeEventListener('abort', stop);
    await process.close();
  }
}

function listError(spec: ServerSpec, cause: unknown, said: string): CapstanError {
  const reason = ProtocolError.isInstance(cause)
    ? `JSON-RPC error ${cause.code}: ${cause.message}`
    : cause instanceof Error
      ? cause.message
      : String(cause);
  const words = said.trim().split('\n').slice(-shownLines).join('\n');
  return new CapstanError('server-failed', `The server ${spec.name} gave no list of tools: ${reason}`, {
    hint: words === '' ? 'It wrote nothing to standard error.' : `It said: ${words}`,
    cause,
  });
}
