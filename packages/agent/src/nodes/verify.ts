import type { CheckReport, EventRow } from '@capstan/contracts';
import { checkArguments } from '../check-arguments.ts';
import { checkClaims } from '../claims.ts';
import { isAboutRepair } from '../classify-task.ts';
import { conversation } from '../conversation.ts';
import { toolNames } from '../declared-tools.ts';
import { judgeRun } from '../judge-run.ts';
import { mayLoseTests } from '../may-lose-tests.ts';
import { endWith, eventKey, type Node, type NodeContext, ownCall } from '../node.ts';
import { type Needed, need, structuredOf } from '../outcome.ts';
import { performCall } from '../perform-call.ts';
import { callRecords, checkReports } from '../run-log.ts';
import type { RunState } from '../run-state.ts';
import { CheckRun, Localisation } from '../tool-results.ts';

/** Runs the repository's own checks again, compares them with before, and checks what the model says it did. */
export const verify: Node = async (state, context) => {
  const ran = state.kind === 'change' ? await runChecks(state, context) : { kind: 'value' as const, value: [] };
  if (ran.kind === 'waiting') return { next: 'human', waiting: ran.waiting, returnTo: 'verify' };
  if (ran.kind === 'ending') return endWith(ran.ending);
  const after = ran.value;
  const rows = await context.log.rows();
  const { changes } = await context.deps.workspace.diff();
  const { task } = context.input;
  const done = callRecords(rows).filter(({ outcome }) => outcome?.kind === 'result' && !outcome.result.isError);
  const proposed = done.filter(({ call }) => call.taint !== 'clean').map(({ call }) => call);
  const verification = judgeRun({
    kind: state.kind,
    asksForRepair: isAboutRepair(task.text),
    mayLoseTests: mayLoseTests(task.text),
    before: checkReports(rows, 'before'),
    after,
    unstable: unstableTests(rows),
    changedFiles: changes.map((change) => change.path),
    looks: proposed.length,
    claims: task.planner === 'model' ? checkClaims(lastWords(rows), proposed, after) : [],
  });
  await context.log.append(eventKey(context, 'verification'), { type: 'verification', verification });
  // Kept in the state, because reflect may roll the workspace back and then run again.
  const tree = await context.deps.workspace.snapshot();
  return verification.verdict === 'not-verified' ? { next: 'reflect', tree } : { ...endWith({ status: 'done' }), tree };
};

async function runChecks(state: RunState, context: NodeContext): Promise<Needed<CheckReport[]>> {
  const reports: CheckReport[] = [];
  for (const [index, checkId] of state.checks.entries()) {
    const call = ownCall(context, index, toolNames.runCheck, checkArguments(checkId, context.input.task));
    const ran = need(await performCall(call, context), CheckRun);
    if (ran.kind !== 'value') return ran;
    const { report } = ran.value;
    await context.log.append(eventKey(context, `after:${checkId}`), { type: 'check-report', phase: 'after', report });
    reports.push(report);
  }
  return { kind: 'value', value: reports };
}

function lastWords(rows: readonly EventRow[]): string {
  const last = conversation(rows).findLast((message) => message.role === 'assistant');
  return last?.text ?? '';
}

/** Tests that fault localisation found to pass and fail without any change. */
export function unstableTests(rows: readonly EventRow[]): ReadonlySet<string> {
  const found = callRecords(rows).filter(({ call }) => call.name === toolNames.localiseFault);
  const localised = found.flatMap(({ outcome }) =>
    outcome === undefined ? [] : [structuredOf(outcome, Localisation)],
  );
  return new Set(localised.flatMap((localisation) => localisation?.unstable ?? []));
}
