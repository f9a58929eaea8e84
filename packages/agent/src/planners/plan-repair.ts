import type { EventBody, EventRow } from '@capstan/contracts';
import { failingIn } from '../compare-reports.ts';
import { toolNames } from '../declared-tools.ts';
import { failedEnding, failWith } from '../ending.ts';
import { withNetworkNeed } from '../network-need.ts';
import { endWith, eventKey, type NodeContext, ownCall, type Patch } from '../node.ts';
import { callRecords, checkReports } from '../run-log.ts';
import type { RunState } from '../run-state.ts';
import { currentPatch, nextRepairStep, type RepairHistory, type RepairStep } from './next-repair-step.ts';

const titles = [
  ['localise', 'Reproduce the failing tests and localise the fault'],
  ['propose', 'Propose patches'],
  ['validate', 'Validate the patches with the tests'],
  ['apply', 'Apply the best patch'],
  ['verify', "Run the repository's own tests again"],
] as const;

/** One step of test-guided repair: a single call, or the end of the planner's part. */
export async function planRepair(state: RunState, context: NodeContext): Promise<Patch> {
  const history = await repairHistory(state, context);
  if (history === undefined) return endWith(failWith('unsolved', 'No check with failing tests is left to work on.'));
  const step = nextRepairStep(history);
  await context.log.append(eventKey(context, 'plan'), planUpdate(step));
  if (step.kind === 'give-up') {
    const reports = checkReports(await context.log.rows(), 'before');
    return endWith(failedEnding(withNetworkNeed(step.failure, reports)));
  }
  if (step.kind === 'verify') return { next: 'verify' };
  const call = ownCall(context, 0, step.name, step.arguments);
  await context.log.append(`tool-call:${call.id}`, { type: 'tool-call', call });
  return { next: 'execute', pending: [call.id] };
}

/** The id of the patch that is in the workspace; undefined for other planners, and where there is none. */
export async function appliedPatch(state: RunState, context: NodeContext): Promise<string | undefined> {
  if (context.input.task.planner !== 'repair') return undefined;
  const history = await repairHistory(state, context);
  return history === undefined ? undefined : currentPatch(history)?.patchId;
}

/** Beside the checks themselves: applying, comparing, and saying so. */
const overheadMs = 3000;
const slower = 1.5;

async function repairHistory(state: RunState, context: NodeContext): Promise<RepairHistory | undefined> {
  const { log, deps, deadline } = context;
  const rows = await log.rows();
  const checkId = checkToRepair(rows);
  if (checkId === undefined) return undefined;
  const records = callRecords(rows).filter(({ row }) => row > state.roundStart);
  const time = { leftMs: deadline - deps.clock.steady(), reserveMs: slower * checksMs(rows) + overheadMs };
  return { checkId, records, tried: state.tried, time };
}

/** What it takes to run all checks, by the last call for each: more than the runner says, where it runs a second time. */
function checksMs(rows: readonly EventRow[]): number {
  const took = new Map<string, number>(
    rows.flatMap(({ body }) => (body.type === 'tool-result' ? [[body.callId, body.durationMs] as const] : [])),
  );
  const last = new Map<unknown, number>();
  for (const { call } of callRecords(rows)) {
    if (call.name === toolNames.runCheck) last.set(call.arguments.checkId, took.get(call.id) ?? 0);
  }
  return [...last.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
}

/** The first check with failing tests, by its last report; where none names a test, the first that fails. */
function checkToRepair(rows: readonly EventRow[]): string | undefined {
  const after = new Map(checkReports(rows, 'after').map((report) => [report.checkId, report]));
  const current = checkReports(rows, 'before').map((report) => after.get(report.checkId) ?? report);
  const named = current.find((report) => report.tests.some((test) => test.status === 'failed'));
  return (named ?? current.find((report) => failingIn([report]) > 0))?.checkId;
}

function planUpdate(step: RepairStep): EventBody {
  const stage = step.kind === 'call' ? step.stage : step.kind === 'verify' ? 'verify' : undefined;
  const at = stage === undefined ? -1 : titles.findIndex(([name]) => name === stage);
  const status = (index: number) => {
    if (at === -1) return 'failed' as const;
    return index < at ? ('done' as const) : index === at ? ('current' as const) : ('open' as const);
  };
  return {
    type: 'plan-update',
    planner: 'test-guided repair (no model)',
    steps: titles.map(([, title], index) => ({ title, status: status(index) })),
  };
}
