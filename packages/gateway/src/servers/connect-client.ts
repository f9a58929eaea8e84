import type { WireTool } from '@capstan/contracts';
import { Client } from '@modelcontextprotocol/client';
import type { ServerClient, WireCall, WireResult } from './server-pool.ts';
import type { ServerProcess } from './server-process.ts';

export interface ConnectOptions {
  readonly era: 'modern' | 'legacy';
  readonly milliseconds: number;
  /** Called when the server says that its list has changed. */
  readonly onListChanged: () => void;
}

const maximumPages = 64;

/**
 * Speaks MCP with a server process. The era is chosen, not probed: probing costs a process or a timeout. Tools are
 * called through plain requests, because the SDK's `callTool` would validate against lists of its own.
 */
export async function connectClient(process: ServerProcess, options: ConnectOptions): Promise<ServerClient> {
  const client = new Client(
    { name: 'capstan', version: '0.1.0' },
    {
      versionNegotiation: { mode: options.era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
      inputRequired: { autoFulfill: false },
    },
  );
  client.setNotificationHandler('notifications/tools/list_changed', () => options.onListChanged());
  await client.connect(process, { timeout: options.milliseconds });
  return {
    callTool: (call) => callOver(client, call),
    listTools: () => listOver(client, options.milliseconds),
  };
}

async function callOver(client: Client, call: WireCall): Promise<WireResult> {
  const { tool, arguments: input, callId, milliseconds, signal, onProgress } = call;
  return client.request(
    { method: 'tools/call', params: { name: tool, arguments: input, _meta: { 'capstan/call-id': callId } } },
    {
      timeout: milliseconds,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: (step) => onProgress(step.message ?? `${step.progress}`) }),
    },
  );
}

async function listOver(client: Client, timeout: number): Promise<readonly WireTool[]> {
  const tools: WireTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maximumPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, { timeout });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`The list of tools has more than ${maximumPages} pages.`);
}
