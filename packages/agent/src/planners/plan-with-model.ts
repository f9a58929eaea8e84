import {
  CapstanError,
  type ChatModel,
  type ModelAnswer,
  type ModelMessage,
  type ModelTool,
  type ToolCall,
  type Verification,
} from '@capstan/contracts';
import { conversation, withinWindow } from '../conversation.ts';
import { dataBlock } from '../data-block.ts';
import { agentTools, isShown } from '../declared-tools.ts';
import { digestOf } from '../digest.ts';
import { failedEnding, failWith } from '../ending.ts';
import { findLoop } from '../loop-guard.ts';
import { endWith, eventKey, type NodeContext, type Patch } from '../node.ts';
import { describeReport } from '../prompt.ts';
import type { RunState } from '../run-state.ts';
import { shownSchema } from '../shown-schema.ts';

/** Calls of one answer that are made. */
const mostCalls = 32;
const tooMany = `This call was not made: at most ${mostCalls} calls of one answer are. Send it again if it is still needed.`;

interface RefusedCall {
  readonly call: Pick<ToolCall, 'id' | 'name' | 'arguments'>;
  readonly answer: string;
}

/** One turn with the model: one request, whose calls become pending. An answer without calls says that it is finished. */
export async function planWithModel(state: RunState, context: NodeContext): Promise<Patch> {
  const { model } = context.deps;
  if (model === undefined) return endWith(failWith('no-model', 'No chat model is configured.'));
  const asked = await askModel(model, context);
  if (asked instanceof CapstanError) return endWith(failedEnding(asked.toFailure()));
  const { text, malformed } = asked;
  const all = callsOf(asked, context.at, context);
  const calls = all.slice(0, mostCalls);
  const refused: RefusedCall[] = [
    ...all.slice(mostCalls).map((call) => ({ call, answer: tooMany })),
    ...malformed.map(({ name, reason }, index) => ({
      call: {
        id: callId(context.at, all.length + index, context),
        name: name === '' ? 'unnamed' : name,
        arguments: {},
      },
      answer: `This call was not made: ${reason}. Send it again with complete arguments.`,
    })),
  ];
  const shown = [...calls, ...refused.map(({ call }) => call)].map(({ id, name, arguments: args }) => ({
    id,
    name,
    arguments: args,
  }));
  await addMessage(context, 'assistant', { role: 'assistant', text, calls: shown });
  for (const { call, answer } of refused) {
    await addMessage(context, `refused:${call.id}`, { role: 'tool', callId: call.id, text: answer });
  }
  await showPlan(calls, context);
  for (const call of calls) await context.log.append(`tool-call:${call.id}`, { type: 'tool-call', call });
  if (calls.length > 0) {
    return { next: 'execute', turn: context.at, pending: calls.map((call) => call.id) };
  }
  if (refused.length === 0) return { next: 'verify' };
  const staleTurns = state.staleTurns + 1;
  const loop = findLoop([], staleTurns);
  if (loop !== undefined) return endWith(failWith('unsolved', `Stopped going round in circles: ${loop}.`));
  return { next: 'plan', staleTurns };
}

/**
 * The model's answer to the conversation so far. It is kept in the journal before anything tells of it: a turn that was
 * answered once is never asked again. Returns the error when the model failed for good.
 */
async function askModel(model: ChatModel, context: NodeContext): Promise<ModelAnswer | CapstanError> {
  const { deps, log } = context;
  const messages = withinWindow(conversation(await log.rows()));
  const tools = await shownTools(context);
  const digest = digestOf({ model: model.name, messages, tools });
  const key = answerKey(context.at, context);
  const entry = await deps.session.answers.begin(key, digest);
  if (entry.state === 'done') {
    await log.append(`${key}-answer`, { type: 'model-answer', answer: entry.result });
    return entry.result;
  }
  await log.append(`${key}-request`, { type: 'model-request', model: model.name, digest, messages: messages.length });
  try {
    const signal = deps.signal === undefined ? {} : { signal: deps.signal };
    const answer = await model.request({ messages, tools, ...signal });
    await deps.session.answers.complete(key, answer);
    await log.append(`${key}-answer`, { type: 'model-answer', answer });
    return answer;
  } catch (thrown) {
    if (thrown instanceof CapstanError && thrown.code === 'model-failed') return thrown;
    throw thrown;
  }
}

/** Sorted by name, so that the same tools always give the same prompt. */
async function shownTools({ deps, input }: NodeContext): Promise<ModelTool[]> {
  const tools = await deps.gateway.listTools({ agent: 'capstan', tools: agentTools(input.task.planner) });
  const shown = tools.filter((tool) => isShown(tool.name)).sort((first, second) => (first.name < second.name ? -1 : 1));
  return shown.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: shownSchema(inputSchema),
  }));
}

/**
 * The calls of a turn as the model asked for them, from the journal: the event log is redacted, and an edit must be made
 * with the text that was meant.
 */
export async function callsOfTurn(turn: number, context: NodeContext): Promise<ToolCall[]> {
  const entry = await context.deps.session.answers.begin(answerKey(turn, context), '');
  return entry.state === 'done' ? callsOf(entry.result, turn, context) : [];
}

/** What a model asks for cannot be told apart from what its context made it ask for. */
function callsOf(answer: ModelAnswer, turn: number, context: NodeContext): ToolCall[] {
  return answer.calls.map(({ name, arguments: args }, index) => ({
    id: callId(turn, index, context),
    name,
    arguments: args,
    taint: 'unknown',
  }));
}

function answerKey(turn: number, { input }: NodeContext): string {
  return `${input.runId}:${turn}:model`;
}

function callId(turn: number, index: number, { input }: NodeContext): string {
  return `${input.runId}:${turn}:${index}`;
}

async function addMessage(context: NodeContext, name: string, message: ModelMessage): Promise<void> {
  await context.log.append(eventKey(context, `message:${name}`), { type: 'message-add', message });
}

async function showPlan(calls: readonly ToolCall[], context: NodeContext): Promise<void> {
  const works = calls.length > 0;
  await context.log.append(eventKey(context, 'plan'), {
    type: 'plan-update',
    planner: 'model',
    steps: [
      { title: 'Run the checks as they are', status: 'done' },
      { title: 'Let the model work through tools', status: works ? 'current' : 'done' },
      { title: "Run the repository's own checks again", status: works ? 'open' : 'current' },
    ],
  });
}

/** Tells the model why its attempt did not pass; what tests printed goes in as data. */
export async function describeFailedAttempt(
  verification: Verification,
  rolledBack: boolean,
  context: NodeContext,
): Promise<void> {
  if (context.input.task.planner !== 'model') return;
  const kept = rolledBack
    ? 'All edits of this attempt were rolled back, because they broke more than they mended.'
    : 'Your edits so far are kept.';
  const unmatched = verification.claims.filter((claim) => !claim.supported).map((claim) => claim.sentence);
  const claims =
    unmatched.length === 0 ? [] : ['No call matches these statements:', dataBlock('answer', unmatched.join('\n'))];
  const red = verification.after.filter((report) => report.outcome !== 'passed');
  const checks = red.length === 0 ? [] : [dataBlock('checks after the attempt', red.map(describeReport).join('\n'))];
  const lines = [
    'Verification did not pass.',
    dataBlock('verdict', verification.reason),
    kept,
    ...claims,
    ...checks,
    'Go on with tool calls.',
  ];
  await addMessage(context, 'failed-attempt', { role: 'user', text: lines.join('\n') });
}
