import { resolve } from 'node:path';
import { flagLayer, type LoadedConfig } from '@capstan/config';
import { CapstanError } from '@capstan/contracts';
import { type RunRequest, startRun } from '@capstan/orchestration';
import { findRepository } from '@capstan/workspace';
import { configFor } from '../config-for.ts';
import { confirmModel } from '../confirm-model.ts';
import { runDescription } from '../descriptions/run.ts';
import { type ModelEndpoint, modelEndpoint } from '../model-endpoint.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { readArguments } from './read-arguments.ts';

type Options = ReturnType<
  typeof readArguments<typeof runDescription.operands, typeof runDescription.options>
>['options'];

/** `capstan run`: a task on a checkout, in a session of its own. */
export async function run(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const json = args.includes('--json');
  return driveAndFollow(settings, context, { json }, async () => {
    const request = await requestOf(args, settings, context);
    return (deps) => startRun(request, deps);
  });
}

async function requestOf(args: readonly string[], settings: Settings, context: CommandContext): Promise<RunRequest> {
  const { operands, options } = readArguments(runDescription, args);
  const { homeFolder, currentFolder } = settings;
  const named = resolve(currentFolder, options.repo ?? '.');
  const { root } = await findRepository(named, { homeFolder });
  const loaded = await configFor(settings, { repository: root, flags: flagsOf(options) });
  const { approvals, budget } = loaded.config;
  const { minutes, ...counts } = budget;
  const model = options['no-model']
    ? undefined
    : await chosenModel(root, loaded, settings, options.json ? mute(context) : context);
  return {
    text: operands.task,
    // A folder inside of the checkout says which of its packages is meant.
    repository: named,
    ...(model === undefined ? {} : { model: model.name, modelEndpoint: model.endpoint.shown }),
    apply: options.apply,
    source: options.external ? 'external' : 'typed',
    approvals,
    budget: { ...counts, milliseconds: Math.max(1, Math.round(minutes * 60_000)) },
  };
}

function flagsOf({ model, strict, timeout, 'no-model': noModel }: Options) {
  if (noModel && model !== undefined) {
    throw new CapstanError('usage', '--model and --no-model say the opposite.', { hint: 'See capstan run --help.' });
  }
  return flagLayer({
    'model.name': { flag: '--model', value: model },
    approvals: { flag: '--strict', value: strict ? 'strict' : undefined },
    'budget.minutes': { flag: '--timeout', value: timeout === undefined ? undefined : readMinutes(timeout) },
  });
}

function readMinutes(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new CapstanError('usage', `--timeout takes minutes, and "${text}" is not a number of them.`, {
    hint: 'For example: --timeout 10',
  });
}

/** With `--json`, standard output holds events and no questions. */
function mute(context: CommandContext): CommandContext {
  return { ...context, terminal: { ...context.terminal, ask: undefined } };
}

/** Naming a model on the command line is a yes to it for this run; one that is configured needs a yes for the repository. */
async function chosenModel(
  repository: string,
  { config, keys }: LoadedConfig,
  settings: Settings,
  context: CommandContext,
): Promise<{ readonly name: string; readonly endpoint: ModelEndpoint } | undefined> {
  const { name } = config.model;
  if (name === undefined) return undefined;
  const endpoint = modelEndpoint(name, config, settings.environment);
  const isNamedHere = keys.get('model.name')?.origins.some(({ kind }) => kind === 'flag');
  if (!isNamedHere) await confirmModel({ repository, model: name, endpoint }, settings, context);
  return { name, endpoint };
}
