import { resolve } from 'node:path';
import { CapstanError } from '@capstan/contracts';
import { type RunRequest, startRun } from '@capstan/orchestration';
import { runDescription } from '../descriptions/run.ts';
import type { Settings } from '../settings.ts';
import type { CommandContext } from '../terminal.ts';
import { driveAndFollow } from './drive-and-follow.ts';
import { readArguments } from './read-arguments.ts';

/** `capstan run`: a task on a checkout, in a session of its own. */
export async function run(args: readonly string[], settings: Settings, context: CommandContext): Promise<number> {
  const json = args.includes('--json');
  return driveAndFollow(settings, context, { json }, () => {
    const request = requestOf(args, settings);
    return (deps) => startRun(request, deps);
  });
}

function requestOf(args: readonly string[], settings: Settings): RunRequest {
  const { operands, options } = readArguments(runDescription, args);
  return {
    text: operands.task,
    repository: resolve(settings.currentFolder, options.repo ?? '.'),
    ...(options.model === undefined ? {} : { model: options.model }),
    apply: options.apply,
    source: options.external ? 'external' : 'typed',
    approvals: options.strict ? 'strict' : 'contained',
    budget: options.timeout === undefined ? {} : { milliseconds: minutes(options.timeout) },
  };
}

function minutes(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return Math.round(value * 60_000);
  throw new CapstanError('usage', `--timeout takes minutes, and "${text}" is not a number of them.`, {
    hint: 'For example: --timeout 10',
  });
}
