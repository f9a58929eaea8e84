import { CapstanError, type WireTool } from '@capstan/contracts';
import { type Breaker, createBreaker } from '@capstan/resilience';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { ServerSpec } from '../server-spec.ts';
import { connectClient } from './connect-client.ts';
import type { LaunchPlan } from './launch-plan.ts';
import { countsAgainstServer } from './server-fault.ts';
import type { ServerClient, ServerHealth, ServerPool } from './server-pool.ts';
import { ServerProcess } from './server-process.ts';

export interface PoolOptions {
  readonly servers: readonly ServerSpec[];
  readonly plan: (spec: ServerSpec) => LaunchPlan;
  /** Gets every list before the client that it came from is handed out. */
  readonly onTools: (server: string, tools: readonly WireTool[]) => void;
  readonly report: (message: string) => void;
  /** Where a person finds what was reported, for hints. */
  readonly diagnosticsPlace: string;
  readonly breakerFailures: number;
  readonly breakerMilliseconds: number;
  readonly startMilliseconds: number;
  readonly graceMilliseconds: number;
}

/** One server's place in the pool. */
interface Slot {
  readonly spec: ServerSpec;
  readonly breaker: Breaker;
  process?: ServerProcess | undefined;
  client?: Promise<ServerClient> | undefined;
  starts: number;
  failed: boolean;
  containment: string;
  /** Standard error of the last process. */
  said: string;
}

/** A pool that starts nothing until it is asked. */
export function createServerPool(options: PoolOptions): ServerPool {
  const slots = new Map(options.servers.map((spec) => [spec.name, emptySlot(spec, options)]));
  let closed = false;
  const slotOf = (server: string): Slot => {
    const slot = slots.get(server);
    if (slot === undefined) throw new CapstanError('usage', `There is no server called ${server}.`);
    return slot;
  };
  return {
    client(server) {
      const slot = slotOf(server);
      if (closed) return Promise.reject(new CapstanError('server-failed', 'The gateway is closed.'));
      return slot.client ?? keepClient(slot, startSlot(slot, options));
    },
    breaker: (server) => slotOf(server).breaker,
    async refresh(server) {
      const client = await slotOf(server).client;
      if (client !== undefined) options.onTools(server, await client.listTools());
    },
    health: () => [...slots.values()].map(healthOf),
    async close() {
      closed = true;
      await Promise.all([...slots.values()].map(async (slot) => slot.process?.close()));
    },
  };
}

function emptySlot(spec: ServerSpec, options: PoolOptions): Slot {
  const breaker = createBreaker(`The server ${spec.name}`, {
    failures: options.breakerFailures,
    openMilliseconds: options.breakerMilliseconds,
    maximumMilliseconds: 60_000,
    counts: countsAgainstServer,
  });
  return { spec, breaker, starts: 0, failed: false, containment: 'not started', said: '' };
}

/** Callers share a start that is under way; one that failed is forgotten. */
function keepClient(slot: Slot, starting: Promise<ServerClient>): Promise<ServerClient> {
  slot.client = starting;
  starting.catch(() => {
    if (slot.client === starting) slot.client = undefined;
  });
  return starting;
}

/** A start that fails counts against the server; one that succeeds proves nothing yet: the call that follows does. */
async function startSlot(slot: Slot, options: PoolOptions): Promise<ServerClient> {
  slot.breaker.check();
  const plan = options.plan(slot.spec);
  const process = new ServerProcess({ ...plan, graceMilliseconds: options.graceMilliseconds });
  slot.process = process;
  slot.starts += 1;
  slot.containment = plan.containment;
  process.onclose = () => forget(slot, process, options);
  process.ondiagnostic = (line) => options.report(`${slot.spec.name}: ${line}`);
  process.onerror = (error) => options.report(`${slot.spec.name}: ${error.message}`);
  try {
    const client = await connect(slot, process, options);
    slot.failed = false;
    options.report(`${slot.spec.name}: started as process ${process.pid} (${plan.containment})`);
    return client;
  } catch (cause) {
    slot.failed = true;
    await process.close();
    forget(slot, process, options);
    return slot.breaker.run<ServerClient>(() => Promise.reject(startError(slot, cause, options)));
  }
}

async function connect(slot: Slot, process: ServerProcess, options: PoolOptions): Promise<ServerClient> {
  const { spec } = slot;
  let client: ServerClient | undefined;
  const list = async (): Promise<void> => {
    if (client !== undefined) options.onTools(spec.name, await client.listTools());
  };
  client = await connectClient(process, {
    era: spec.era ?? (spec.trust === 'official' ? 'modern' : 'legacy'),
    milliseconds: options.startMilliseconds,
    onListChanged: () => void list().catch((error) => options.report(`${spec.name}: ${String(error)}`)),
  });
  await list();
  return client;
}

/** Without what the server said, which is in the diagnostics: its words would reach a model as ours. */
function startError({ spec }: Slot, cause: unknown, { diagnosticsPlace }: PoolOptions): CapstanError {
  const reason = ProtocolError.isInstance(cause)
    ? `JSON-RPC error ${cause.code}`
    : cause instanceof Error
      ? cause.message
      : String(cause);
  return new CapstanError('server-failed', `The server ${spec.name} could not be started: ${reason}`, {
    level: 'retryable',
    hint: `Go on without it; what it said is in ${diagnosticsPlace}.`,
    cause,
  });
}

function forget(slot: Slot, process: ServerProcess, options: PoolOptions): void {
  if (slot.process !== process) return;
  slot.client = undefined;
  slot.process = undefined;
  slot.said = process.diagnostics;
  slot.failed ||= !process.isClosing;
  options.report(`${slot.spec.name}: process ended`);
}

function healthOf(slot: Slot): ServerHealth {
  const running = slot.process !== undefined && slot.client !== undefined;
  return {
    server: slot.spec.name,
    state: running ? 'running' : slot.failed ? 'failed' : 'idle',
    breaker: slot.breaker.state,
    starts: slot.starts,
    ...(slot.process?.pid === undefined ? {} : { pid: slot.process.pid }),
    diagnostics: slot.process?.diagnostics ?? slot.said,
    containment: slot.containment,
  };
}
