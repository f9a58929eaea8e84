import { chooseChecks } from '@capstan/checks';
import type { Check, CheckReport } from '@capstan/contracts';
import { checkArguments } from '../check-arguments.ts';
import { canBeDoneByTests, classifyTask, isAboutFailingTests, isAboutRepair } from '../classify-task.ts';
import { failingIn } from '../compare-reports.ts';
import { toolNames } from '../declared-tools.ts';
import { failWith } from '../ending.ts';
import { endWith, eventKey, type Node, type NodeContext, ownCall, type Patch } from '../node.ts';
import { need, structuredOf } from '../outcome.ts';
import { performCall } from '../perform-call.ts';
import { systemPrompt, taskPrompt } from '../prompt.ts';
import type { Ending, RunState } from '../run-state.ts';
import { CheckList, CheckRun, FileReading } from '../tool-results.ts';

const largestGuide = 6_000;
const modelHint = 'Configure a chat model, and name it with --model: repair by tests can only make failing tests pass.';

/** Finds out what kind of task it is, which checks the repository has, and what they say before anything is changed. */
export const understand: Node = async (_state, context) => {
  const { task } = context.input;
  const kind = classifyTask(task.text);
  const refusal = refuse(kind, context);
  if (refusal !== undefined) return { ...endWith(refusal), kind };
  const baseline = kind === 'change' ? await runBaseline(context) : { kind: 'value' as const, value: [], off: [] };
  if (baseline.kind === 'waiting') {
    return { next: 'human', waiting: baseline.waiting, returnTo: 'understand' };
  }
  if (baseline.kind === 'ending') return { ...endWith(baseline.ending), kind };
  const reports = baseline.value;
  const checks = reports.map((report) => report.checkId);
  const known = { kind, checks, failing: failingIn(reports) };
  const early = kind === 'change' ? await endEarly(reports, baseline.off, context) : undefined;
  if (early !== undefined) return { ...known, ...early };
  if (task.planner === 'model') await openConversation(reports, context);
  const snapshot = await context.deps.workspace.snapshot();
  return { ...known, snapshot, next: 'plan' };
};

/** What cannot be done with what there is. */
function refuse(kind: RunState['kind'], { deps, input: { task } }: NodeContext): Ending | undefined {
  if (task.planner === 'model') {
    return deps.model === undefined ? failWith('no-model', 'No chat model is configured.', modelHint) : undefined;
  }
  if (kind === 'change' && canBeDoneByTests(task.text)) return undefined;
  const why = isAboutRepair(task.text)
    ? 'not all of it can be done by repairing failing tests'
    : 'nothing in it asks for failing tests to be repaired';
  return failWith('no-model', `This task needs a chat model: ${why}.`, modelHint);
}

type Baseline =
  /** `off` are the ids of checks that the configuration switches off. */
  | { readonly kind: 'value'; readonly value: CheckReport[]; readonly off: readonly string[] }
  | Exclude<ReturnType<typeof need>, { kind: 'value' }>;

/** Runs the test checks once. Calls have fixed numbers, so a second run of this node makes the same ones. */
async function runBaseline(context: NodeContext): Promise<Baseline> {
  const listed = need(await performCall(ownCall(context, 0, toolNames.listChecks, {}), context), CheckList);
  if (listed.kind !== 'value') return listed;
  const checks = await chooseTests(listed.value.checks, context);
  const reports: CheckReport[] = [];
  for (const [index, check] of checks.entries()) {
    const call = ownCall(context, index + 2, toolNames.runCheck, checkArguments(check.id, context.input.task));
    const ran = need(await performCall(call, context), CheckRun);
    if (ran.kind !== 'value') return ran;
    const { report } = ran.value;
    await context.log.append(`${context.input.runId}:before:${check.id}`, {
      type: 'check-report',
      phase: 'before',
      report,
    });
    reports.push(report);
  }
  return { kind: 'value', value: reports, off: listed.value.off };
}

/** The tests that the run goes by; where some are left out, the log says which. */
async function chooseTests(checks: readonly Check[], context: NodeContext): Promise<readonly Check[]> {
  const { runId, task } = context.input;
  const { chosen, left } = chooseChecks(checks, task);
  if (left.length > 0) {
    const ids = (list: readonly Check[]) => list.map(({ id }) => id);
    const event = { type: 'checks-choose', chosen: ids(chosen), left: ids(left) } as const;
    await context.log.append(`${runId}:checks`, event);
  }
  return chosen;
}

/** Ends that the baseline alone decides. */
async function endEarly(
  reports: readonly CheckReport[],
  off: readonly string[],
  context: NodeContext,
): Promise<Patch | undefined> {
  const { task } = context.input;
  if (reports.length === 0) {
    return task.planner === 'repair' ? endWith(noTests(off)) : undefined;
  }
  const slow = reports.find((report) => report.outcome === 'timed-out');
  if (slow !== undefined) {
    const hint =
      'Make the tests end, or give them more time: checks.minutes in the configuration, and --timeout for the run.';
    return endWith(failWith('tests-time-out', `The tests of ${slow.checkId} did not end in time.`, hint));
  }
  const absent = reports.find((report) => report.outcome === 'not-started');
  if (absent !== undefined) {
    const hint = 'Install what the test command needs on this machine.';
    return endWith(failWith('no-toolchain', `The tests of ${absent.checkId} could not be started.`, hint));
  }
  if (reports.some((report) => report.outcome !== 'passed')) return undefined;
  if (isAboutFailingTests(task.text)) return nothingFails(reports, context);
  if (task.planner === 'model') return undefined;
  const message = 'No test fails, so repair by tests has nothing to go by.';
  return endWith(failWith('no-model', message, modelHint));
}

function noTests(off: readonly string[]): Ending {
  if (off.length === 0) {
    const hint = 'Add a test script that Capstan detects, or configure a chat model.';
    return failWith('no-tests', 'No tests were found in this repository.', hint);
  }
  const message = `The configuration leaves no tests to run: ${off.join(', ')} switched off.`;
  return failWith('no-tests', message, 'capstan config says which file does that: checks.only and checks.deny.');
}

async function nothingFails(reports: readonly CheckReport[], context: NodeContext): Promise<Patch> {
  const passed = reports.reduce((sum, report) => sum + report.passed, 0);
  await context.log.append(eventKey(context, 'verification'), {
    type: 'verification',
    verification: {
      verdict: 'verified',
      before: [...reports],
      after: [...reports],
      fixed: [],
      broken: [],
      stillFailing: [],
      claims: [],
      reason: `Nothing fails: ${passed} tests pass as they are, and nothing was changed.`,
    },
  });
  return endWith({ status: 'done' });
}

/** The first two messages: the rules, and the task with what is known. */
async function openConversation(reports: readonly CheckReport[], context: NodeContext): Promise<void> {
  const { runId, task } = context.input;
  const guide = await readGuide(context);
  const messages = [
    { role: 'system', text: systemPrompt },
    { role: 'user', text: taskPrompt(task, reports, guide) },
  ] as const;
  for (const message of messages) {
    await context.log.append(`${runId}:message:${message.role}`, { type: 'message-add', message });
  }
}

/** AGENTS.md of the workspace, where there is a small one. */
async function readGuide(context: NodeContext): Promise<string | undefined> {
  const call = ownCall(context, 1, toolNames.readFiles, { files: [{ path: 'AGENTS.md' }] });
  const performed = await performCall(call, context);
  if (performed.kind === 'waiting') return undefined;
  const text = structuredOf(performed.outcome, FileReading)?.files[0]?.text ?? '';
  return text.length > 0 && text.length <= largestGuide ? text : undefined;
}
