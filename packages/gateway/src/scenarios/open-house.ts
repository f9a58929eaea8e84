import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AuditRow, CallContext, CallOutcome, Grant, SessionStorage, Taint, ToolResult } from '@capstan/contracts';
import { openStorage, type Storage } from '@capstan/storage';
import {
  allStages,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type ServerSpec,
  type Stage,
  stageNames,
} from '../index.ts';

interface CallOptions {
  readonly id?: string;
  readonly taint?: Taint;
  readonly context?: Partial<CallContext>;
}

/** A gateway over real processes and real storage, as a run of Capstan has it. */
export interface House {
  readonly gateway: Gateway;
  readonly session: SessionStorage;
  readonly storage: Storage;
  readonly root: string;
  readonly clock: { time: number };
  call(name: string, input?: Record<string, unknown>, options?: CallOptions): Promise<CallOutcome>;
  /** What the servers did, by their own record. */
  ledger(): { tool: string; input: Record<string, unknown>; pid: number }[];
  audit(): Promise<AuditRow[]>;
  grant(grant: Partial<Grant> & { tool: string }): Promise<void>;
  decide(outcome: CallOutcome, decision: 'approved' | 'denied'): Promise<void>;
  /** Another life: the processes are ended, everything is opened again from disk. */
  restart(): Promise<House>;
}

export interface HouseOptions extends Partial<Omit<GatewayOptions, 'servers' | 'session' | 'blobs'>> {
  readonly servers?: (folder: string) => ServerSpec[];
  readonly home?: string;
}

const sessionId = 's-1';
export const secret = 'hunter2-hunter2';

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));
}

export function ownServer(folder: string, more: Partial<ServerSpec> = {}): ServerSpec {
  return {
    name: 'own',
    trust: 'official',
    era: 'legacy',
    command: process.execPath,
    args: [fixture('own-server'), '--ledger', join(folder, 'ledger'), '--state', join(folder, 'state')],
    environment: {},
    contained: ['write_file', 'busy_once', 'die'],
    runs: { run_check: ['checkId'] },
    egress: ['publish'],
    shells: ['shell'],
    pure: ['summarise'],
    ...more,
  };
}

export function mailServer(folder: string, more: Partial<ServerSpec> = {}): ServerSpec {
  return {
    name: 'mail',
    trust: 'reviewed',
    command: process.execPath,
    args: [fixture('mail-server'), '--ledger', join(folder, 'ledger')],
    environment: {},
    tiers: { read_inbox: 'read', refuse: 'read', attach: 'read' },
    egress: ['send_mail'],
    ...more,
  };
}

/** Every tool that the given servers of the fixtures have. */
const allTools = [
  ...['read_file', 'read_secret', 'write_file', 'publish', 'run_check', 'shell', 'summarise', 'busy_once'],
  ...['die', 'die_reading', 'slow', 'environment'],
]
  .map((tool) => `own__${tool}`)
  .concat(['read_inbox', 'send_mail', 'add_note', 'refuse', 'attach', 'run'].map((tool) => `mail__${tool}`));

/**
 * Opens it in a folder of its own. `CAPSTAN_TEST_WITHOUT_STAGE` leaves a stage out, for the check that each is needed:
 * it is read here and nowhere else.
 */
export async function openHouse(t: TestContext, options: HouseOptions = {}): Promise<House> {
  const { servers = (folder: string) => [ownServer(folder), mailServer(folder)], home, ...rest } = options;
  const folder = home ?? temporaryFolder(t);
  const root = join(folder, 'workspace');
  mkdirSync(root, { recursive: true });
  const clock = { time: 1_000_000, now: () => clock.time, steady: () => clock.time };
  let count = 0;
  const ids = { next: (prefix: string) => `${prefix}-${process.pid}-${++count}` };
  const redact = (text: string): string => text.replaceAll(secret, '***');
  const storage = openStorage({ home: join(folder, 'home'), clock, ids, redact });
  const session = await openSession(storage);
  const gateway = createGateway({
    servers: servers(folder),
    session,
    blobs: storage.blobs,
    clock,
    ids,
    auditKey: storage.auditKey,
    redact,
    workspaceRoot: root,
    approvals: 'contained',
    userText: 'Make the tests pass and mail the result to ann@example.org.',
    sandbox: { kind: 'none', searchPath: '' },
    approvalMilliseconds: 60_000,
    ...rest,
    stages: stagesInUse(),
  });
  let isOpen = true;
  const end = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await gateway.close();
    await storage.releaseLease(session.lease);
    storage.close();
  };
  t.after(end);
  let calls = 0;
  return {
    gateway,
    session,
    storage,
    root,
    clock,
    call(name, input = {}, { id = `call-${++calls}`, taint = 'unknown', context = {} } = {}) {
      const whole = { sessionId, runId: 'r-1', agent: 'agent', actor: 'ann', tools: allTools, ...context };
      return gateway.callTool({ id, name, arguments: input, taint }, whole);
    },
    ledger: () => readLedger(join(folder, 'ledger')),
    audit: () => storage.readAudit({ sessionId }),
    grant: (grant) => session.approvals.addGrant({ id: 'g-1', grantedBy: 'ann', ...grant }),
    async decide(outcome, decision) {
      if (!('argumentDigest' in outcome)) throw new Error(`nothing was asked: ${JSON.stringify(outcome)}`);
      await storage.decideApproval(sessionId, outcome.callId, outcome.argumentDigest, decision, 'ann');
    },
    async restart() {
      await end();
      return openHouse(t, { ...options, home: folder });
    },
  };
}

async function openSession(storage: Storage): Promise<SessionStorage> {
  if ((await storage.findSession(sessionId)) === undefined)
    await storage.createSession({ repository: '/repository', sessionId });
  const lease = await storage.acquireLease(sessionId, `holder-${process.pid}`, 600_000);
  if (lease === undefined) throw new Error('the session is held');
  return storage.session(lease);
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-gateway-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function readLedger(file: string): { tool: string; input: Record<string, unknown>; pid: number }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function stagesInUse(): readonly Stage[] {
  const without = process.env.CAPSTAN_TEST_WITHOUT_STAGE;
  if (without === undefined) return allStages;
  if (!stageNames.some((name) => name === without)) throw new Error(`There is no stage called ${without}.`);
  return allStages.filter((stage) => stage.name !== without);
}

/** The result of a call that must have one. */
export function resultOf(outcome: CallOutcome): ToolResult {
  if (outcome.kind !== 'result') throw new Error(`expected a result: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** Which rule ended a call; the kind of its outcome when none did. */
export function ruleOf(outcome: CallOutcome): string {
  if (outcome.kind === 'denied') return `${outcome.stage}/${outcome.rule}`;
  return outcome.kind === 'approval-required' ? `ask/${outcome.rule}` : outcome.kind;
}
