import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { findRepository } from '@capstan/workspace';
import { admitRun } from './admit-run.ts';
import type { OrchestrationDeps } from './deps.ts';
import type { RunEnd } from './drive-run.ts';
import { parseTask, type RunRequest } from './run-request.ts';

/** First hop of the walk: raw input becomes a validated task. Throws `usage`, `empty-task`, `no-repository`... */
export async function startRun(raw: RunRequest, deps: OrchestrationDeps): Promise<RunEnd> {
  const repository = await findRepository(raw.repository, deps);
  const folder = relative(repository.root, await realpath(resolve(raw.repository)));
  return admitRun(parseTask(raw, repository.root, folder), deps);
}
