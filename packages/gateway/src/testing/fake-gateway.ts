import { createHash } from 'node:crypto';
import type { CallContext, CallOutcome, ToolCall, WireTool } from '@capstan/contracts';
import { createBreaker } from '@capstan/resilience';
import { callTool } from '../call-tool.ts';
import { createCatalog } from '../catalog/catalog.ts';
import { assembleParts } from '../create-gateway.ts';
import type { GatewayOptions } from '../gateway-options.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import type { ServerSpec } from '../server-spec.ts';
import { countsAgainstServer } from '../servers/server-fault.ts';
import type { ServerPool, WireCall, WireResult } from '../servers/server-pool.ts';
import type { CallState } from '../stage.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

export interface FakeTool extends Partial<WireTool> {
  readonly call?: (call: WireCall) => WireResult | Promise<WireResult>;
}

export interface FakeGateway {
  readonly parts: GatewayParts;
  readonly session: FakeSession;
  readonly blobs: Map<string, Uint8Array>;
  readonly clock: { time: number; now(): number; steady(): number };
  /** What the server was sent. */
  readonly sent: WireCall[];
  call(call: Partial<ToolCall>, context?: Partial<CallContext>): Promise<CallOutcome>;
  /** A call on its way, resolved to its tool. */
  state(call?: Partial<ToolCall>, context?: Partial<CallContext>): CallState;
}

const anyObject = { type: 'object' };

/** A gateway over one server called "s" that lives in the test: everything else is real. */
export function fakeGateway(
  tools: Readonly<Record<string, FakeTool>> = { read: { _meta: { 'capstan/tier': 'read' } } },
  spec: Partial<ServerSpec> = {},
  options: Partial<GatewayOptions> = {},
): FakeGateway {
  const clock = { time: 1_000_000, now: () => clock.time, steady: () => clock.time };
  const session = fakeSession(clock);
  const blobs = new Map<string, Uint8Array>();
  const sent: WireCall[] = [];
  const server: ServerSpec = { name: 's', trust: 'official', command: '', args: [], environment: {}, ...spec };
  const whole: GatewayOptions = {
    servers: [server],
    session,
    blobs: {
      async put(bytes) {
        const digest = createHash('sha256').update(bytes).digest('hex');
        blobs.set(digest, bytes);
        return digest;
      },
      get: async (digest) => blobs.get(digest),
    },
    clock,
    ids: { next: (prefix) => `${prefix}-1` },
    auditKey: Buffer.from('key'),
    redact: (text) => text.replaceAll('hunter2', '***'),
    workspaceRoot: '/nonexistent/workspace',
    approvals: 'contained',
    userText: 'mail ann@example.org',
    sandbox: { kind: 'none', searchPath: '' },
    approvalMilliseconds: 60_000,
    ...options,
  };
  const catalog = createCatalog([server], () => undefined);
  const parts = assembleParts(whole, fakePool(tools, sent), catalog);
  const listed = Object.entries(tools).map(([name, tool]): WireTool => ({ inputSchema: anyObject, ...tool, name }));
  catalog.accept('s', listed);
  const names = listed.map((tool) => `s__${tool.name}`);
  const wholeCall = (call: Partial<ToolCall>): ToolCall => ({
    ...{ id: 'c-1', name: names[0] ?? '', arguments: {}, taint: 'unknown' as const },
    ...call,
  });
  const wholeContext = (context: Partial<CallContext>): CallContext => ({
    ...{ sessionId: 's-1', runId: 'r-1', agent: 'agent', actor: 'ann', tools: names },
    ...context,
  });
  return {
    ...{ parts, session, blobs, clock, sent },
    call: (call, context = {}) => callTool(parts, wholeCall(call), wholeContext(context)),
    state(call = {}, context = {}) {
      const made = wholeCall(call);
      const tool = catalog.get(made.name);
      const base = { gateway: parts, call: made, context: wholeContext(context), argumentDigest: 'digest' };
      return { ...base, permission: { rule: 'none' }, ...(tool === undefined ? {} : { tool }) };
    },
  };
}

function fakePool(tools: Readonly<Record<string, FakeTool>>, sent: WireCall[]): ServerPool {
  const breaker = createBreaker('The server s', {
    ...{ failures: 3, openMilliseconds: 1_000, maximumMilliseconds: 1_000 },
    counts: countsAgainstServer,
  });
  const answer = { content: [{ type: 'text', text: 'done' }] };
  return {
    client: async () => ({
      listTools: async () => [],
      callTool: async (call) => {
        sent.push(call);
        return (await tools[call.tool]?.call?.(call)) ?? answer;
      },
    }),
    breaker: () => breaker,
    refresh: async () => undefined,
    health: () => [],
    close: async () => undefined,
  };
}
