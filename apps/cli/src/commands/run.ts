import { resolve } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { type RunRequest, startRun } from '@capstan/orchestration';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { onlyPositional, readArguments } from './read-arguments.ts';

const options = {
  repo: { type: 'string' },
  apply: { type: 'boolean', default: false },
  model: { type: 'string' },
  strict: { type: 'boolean', default: false },
  external: { type: 'boolean', default: false },
  timeout: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** `capstan run`: a task on a checkout, in a session of its own. */
export async function run(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const json = args.includes('--json');
  return driveAndFollow(settings, context, { json }, () => {
    const request = requestOf(args, settings);
    return (deps) => startRun(request, deps);
  });
}

function requestOf(args: readonly string[], settings: Settings): RunRequest {
  const { values, positionals } = readArguments('run', args, options);
  const text = onlyPositional('run', positionals, 'task');
  return {
    text,
    repository: resolve(settings.currentFolder, values.repo ?? '.'),
    ...(values.model === undefined ? {} : { model: values.model }),
    apply: values.apply,
    source: values.external ? 'external' : 'typed',
    approvals: values.strict ? 'strict' : 'contained',
    budget: values.timeout === undefined ? {} : { milliseconds: minutes(values.timeout) },
  };
}

function minutes(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return Math.round(value * 60_000);
  throw new CapstanError('usage', `--timeout takes minutes, and "${text}" is not a number of them.`, {
    hint: 'For example: --timeout 10',
  });
}
